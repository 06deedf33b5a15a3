#pragma once
// Instruction sets that vectorised sources are compiled for; to be included before Highway.
// Kept: AVX-512, AVX2 and the baseline. The ones between cost compile time and serve machines that
// are rare today.
#ifdef PEGNN_FEW_TARGETS  // of builds with sanitizers: the sources compile in two thirds of the time
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif
// The baseline is plain scalars with every compiler. Highway takes emulated vectors where the
// compiler can (clang, gcc from 12.3), and their masked loads read past the end of an array.
#define HWY_BROKEN_EMU128 1
