# What most files read before their own first line: headers of the standard library and of fmt, which take a third of
# the time of a build. Nothing of ours is among them, so that touching a header of ours rebuilds what includes it and
# no more. Every file still includes what it uses: the presets coverage and fuzz build without.
set(PEGNN_COMMON_HEADERS
  <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numeric> <optional> <span>
  <string> <string_view> <utility> <vector> <fmt/core.h>)

# pegnn_precompile(TARGET HEADER...): with further headers from outside that most of its files use.
function(pegnn_precompile target)
  if(PEGNN_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${PEGNN_COMMON_HEADERS} ${ARGN})
    # gcc 12 forgets that what is precompiled comes from the system, and warns of copies of strings that cannot
    # overflow.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
  endif()
endfunction()
