#include "report/stroke_glyphs.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pegnn {
namespace {

// In the order of their codes.
constexpr Glyph kGlyphs[] = {
    {U' ', 36, 'n', 'n', ""},
    {U'!', 0, 's', 's', "M 0 100 V 33 D 0 0"},
    {U'"', 22, 's', 's', "M 0 100 V 72 M 22 100 V 72"},
    {U'#', 60, 'o', 'o', "M 22 100 L 12 0 M 50 100 L 40 0 M 2 68 H 60 M 0 32 H 58"},
    {U'$', 56, 'r', 'r',
     "M 53 76 C 51 89 42 96 28 96 h 2 74 C 2 43 57 60 57 28 v 28 4 C 13 4 2 13 0 28 M 28 110 V "
     "-10"},
    {U'%', 92, 'r', 'r',
     "M 0 79 v 18 100 h 36 79 v 18 58 h 0 79 M 56 21 v 74 42 h 92 21 v 74 0 h 56 21 M 74 100 L 18 "
     "0"},
    {U'&', 66, 'r', 'o',
     "M 66 0 L 16 64 C 8 74 6 78 6 82 v 25 100 h 44 82 C 44 58 0 62 0 27 v 27 0 C 46 0 58 20 62 "
     "46"},
    {U'\'', 0, 's', 's', "M 0 100 V 72"},
    {U'(', 20, 'r', 'o', "M 20 112 C -6 80 -6 12 20 -20"},
    {U')', 20, 'o', 'r', "M 0 112 C 26 80 26 12 0 -20"},
    {U'*', 36, 'o', 'o', "M 18 100 V 62 M 1 91 L 35 71 M 35 91 L 1 71"},
    {U'+', 58, 'r', 'r', "M 29 74 V 16 M 0 45 H 58"},
    {U',', 8, 'o', 's', "M 8 3 C 8 -8 5 -14 0 -19"},
    {U'-', 30, 'r', 'r', "M 0 38 H 30"},
    {U'.', 0, 's', 's', "D 0 0"},
    {U'/', 40, 'o', 'o', "M 40 106 L 0 -10"},
    {U'0', 55, 'r', 'r', "M 0 58 v 27.5 100 h 55 58 V 42 v 27.5 0 h 0 42 V 58"},
    {U'1', 55, 'r', 'r', "M 8 80 L 32 100 V 0"},
    {U'2', 55, 'r', 'r', "M 2 74 v 28 100 h 53 73 C 53 54 40 44 1 0 H 55"},
    {U'3', 55, 'r', 'r',
     "M 3 79 C 6 92 15 100 27 100 h 51 76 v 27 53 H 19 M 27 53 h 55 26.5 v 27 0 C 13 0 3 8 0 22"},
    {U'4', 55, 'r', 'r', "M 43 0 V 100 L 0 29 H 57"},
    {U'5', 55, 'r', 'r', "M 50 100 H 10 L 5 53 C 12 60 19 64 28 64 h 55 32 v 27 0 C 13 0 3 8 0 21"},
    {U'6', 55, 'r', 'r',
     "M 51 84 C 47 94 40 100 30 100 C 10 100 0 79 0 46 V 32 v 27.5 0 h 55 32 v 27.5 63 h 0 32"},
    {U'7', 55, 'r', 'r', "M 1 100 H 55 C 37 68 23 36 19 0"},
    {U'8', 55, 'r', 'r',
     "M 4 76 v 27.5 100 h 51 76 v 27.5 53 h 4 76 M 0 26.5 v 27.5 53 h 55 26.5 v 27.5 0 h 0 26.5"},
    {U'9', 55, 'r', 'r',
     "M 4 16 C 8 6 15 0 25 0 C 45 0 55 21 55 54 V 68 v 27.5 100 h 0 68 v 27.5 37 h 55 68"},
    {U':', 0, 's', 's', "D 0 0 D 0 62"},
    {U';', 8, 'o', 's', "M 8 3 C 8 -8 5 -14 0 -19 D 7 62"},
    {U'<', 54, 'r', 'r', "M 54 72 L 0 45 L 54 18"},
    {U'=', 58, 'r', 'r', "M 0 60 H 58 M 0 30 H 58"},
    {U'>', 54, 'r', 'r', "M 0 72 L 54 45 L 0 18"},
    {U'?', 50, 'o', 'r',
     "M 0 76 C 2 91 11 100 25 100 h 50 75 C 50 54 25 56 25 33 M 25 33 V 30 D 25 0"},
    {U'@', 104, 'r', 'r',
     "M 72 62 V 40 C 72 26 76 20 84 20 C 96 20 104 32 104 48 v 54 94 h 0 38 v 54 -18 C 66 -18 76 "
     "-15 "
     "84 -9 M 72 41 v 51 62 h 30 41 v 51 20 h 72 41"},
    {U'A', 70, 'o', 'o', "M 0 0 L 35 100 L 70 0 M 11.2 32 H 58.8"},
    {U'B', 55, 's', 'r', "M 0 0 V 100 H 28 h 51 76.5 v 28 53 H 0 M 28 53 h 55 26.5 v 28 0 H 0"},
    {U'C', 67, 'r', 'o', "M 67 71 C 63 89 52 100 36 100 h 0 50 v 36 0 C 52 0 63 11 67 29"},
    {U'D', 65, 's', 'r', "M 0 0 V 100 H 27 h 65 50 v 27 0 H 0"},
    {U'E', 48, 's', 'o', "M 47 100 H 0 V 0 H 48 M 0 53 H 43"},
    {U'F', 46, 's', 'o', "M 46 100 H 0 V 0 M 0 51 H 41"},
    {U'G', 68, 'r', 's',
     "M 66 73 C 62 90 52 100 36 100 h 0 50 v 36 0 C 55 0 68 14 68 38 V 46 H 40"},
    {U'H', 61, 's', 's', "M 0 0 V 100 M 61 0 V 100 M 0 53 H 61"},
    {U'I', 0, 's', 's', "M 0 0 V 100"},
    {U'J', 40, 'o', 's', "M 40 100 V 28 v 20 0 C 8 0 1 8 0 24"},
    {U'K', 60, 's', 'o', "M 0 0 V 100 M 57 100 L 0 38 M 21 61 L 60 0"},
    {U'L', 46, 's', 'o', "M 0 100 V 0 H 46"},
    {U'M', 75, 's', 's', "M 0 0 V 100 L 37.5 8 L 75 100 V 0"},
    {U'N', 61, 's', 's', "M 0 0 V 100 L 61 0 V 100"},
    {U'O', 74, 'r', 'r', "M 0 50 v 37 100 h 74 50 v 37 0 h 0 50"},
    {U'P', 54, 's', 'r', "M 0 0 V 100 H 27 h 54 72.5 v 27 45 H 0"},
    {U'Q', 74, 'r', 'r', "M 0 50 v 37 100 h 74 50 v 37 0 h 0 50 M 46 22 L 72 -5"},
    {U'R', 56, 's', 'o', "M 0 0 V 100 H 28 h 54 73 v 28 46 H 0 M 31 46 L 57 0"},
    {U'S', 56, 'r', 'r',
     "M 53 75 C 51 91 42 100 28 100 h 2 75 C 2 43 57 60 57 27 v 28 0 C 13 0 2 10 0 27"},
    {U'T', 62, 'o', 'o', "M 0 100 H 62 M 31 100 V 0"},
    {U'U', 60, 's', 's', "M 0 100 V 34 v 30 0 h 60 34 V 100"},
    {U'V', 68, 'o', 'o', "M 0 100 L 34 0 L 68 100"},
    {U'W', 104, 'o', 'o', "M 0 100 L 25 0 L 52 98 L 79 0 L 104 100"},
    {U'X', 62, 'o', 'o', "M 2 100 L 62 0 M 60 100 L 0 0"},
    {U'Y', 64, 'o', 'o', "M 0 100 L 32 45 L 64 100 M 32 45 V 0"},
    {U'Z', 57, 'o', 'o', "M 3 100 H 55 L 0 0 H 57"},
    {U'[', 17, 's', 'o', "M 17 110 H 0 V -18 H 17"},
    {U'\\', 40, 'o', 'o', "M 0 106 L 40 -10"},
    {U']', 17, 'o', 's', "M 0 110 H 17 V -18 H 0"},
    {U'^', 44, 'o', 'o', "M 0 66 L 22 100 L 44 66"},
    {U'_', 60, 'n', 'n', "M 0 -18 H 60"},
    {U'`', 14, 'o', 'o', "M 0 100 L 14 84"},
    {U'a', 44, 'o', 's',
     "M 2 54 C 5 65 12 70 23 70 h 44 48 V 0 M 44 41 C 32 38 28 40 18 37 C 6 34 0 29 0 19 v 18 0 C "
     "32 "
     "0 44 10 44 28"},
    {U'b', 50, 's', 'r', "M 0 0 V 104 M 0 35 v 26 70 h 50 35 v 26 0 h 0 35"},
    {U'c', 46, 'r', 'o', "M 46 49 C 43 62 36 70 25 70 h 0 35 v 25 0 C 36 0 43 8 46 21"},
    {U'd', 50, 'r', 's', "M 50 0 V 104 M 50 35 v 24 70 h 0 35 v 24 0 h 50 35"},
    {U'e', 50, 'r', 'r', "M 0 36 H 50 v 26 70 h 0 35 v 26 0 C 37 0 45 6 48 18"},
    {U'f', 29, 'o', 'o', "M 32 103 H 28 h 12 87 V 0 M 0 70 H 29"},
    {U'g', 50, 'r', 's',
     "M 50 70 V -4 v 26 -29 C 14 -29 6 -24 3 -14 M 50 35 v 24 70 h 0 35 v 24 0 h 50 35"},
    {U'h', 44, 's', 's', "M 0 0 V 104 M 0 40 C 2 58 12 70 24 70 h 44 48 V 0"},
    {U'i', 0, 's', 's', "M 0 0 V 70 D 0 98"},
    {U'j', 0, 's', 's', "M 0 70 V -12 C 0 -24 -5 -29 -14 -29 D 0 98"},
    {U'k', 43, 's', 'o', "M 0 0 V 104 M 41 70 L 0 27 M 15 43 L 43 0"},
    {U'l', 0, 's', 's', "M 0 0 V 104"},
    {U'm', 76, 's', 's',
     "M 0 0 V 70 M 0 42 C 2 59 11 70 21 70 h 38 49 V 0 M 38 42 C 40 59 49 70 59 70 h 76 49 V 0"},
    {U'n', 44, 's', 's', "M 0 0 V 70 M 0 40 C 2 58 12 70 24 70 h 44 48 V 0"},
    {U'o', 52, 'r', 'r', "M 0 35 v 26 70 h 52 35 v 26 0 h 0 35"},
    {U'p', 50, 's', 'r', "M 0 70 V -29 M 0 35 v 26 70 h 50 35 v 26 0 h 0 35"},
    {U'q', 50, 'r', 's', "M 50 70 V -29 M 50 35 v 24 70 h 0 35 v 24 0 h 50 35"},
    {U'r', 26, 's', 'o', "M 0 0 V 70 M 0 38 C 1 58 10 69 26 69"},
    {U's', 42, 'r', 'r',
     "M 39 53 C 37 64 31 70 21 70 h 2 53 C 2 29 43 43 43 18 v 21 0 C 9 0 2 7 0 18"},
    {U't', 29, 'o', 'o', "M 12 92 V 18 v 26 0 H 30 M 0 70 H 29"},
    {U'u', 44, 's', 's', "M 44 0 V 70 M 0 70 V 22 v 20 0 C 32 0 42 12 44 30"},
    {U'v', 48, 'o', 'o', "M 0 70 L 24 0 L 48 70"},
    {U'w', 78, 'o', 'o', "M 0 70 L 19 0 L 39 68 L 59 0 L 78 70"},
    {U'x', 46, 'o', 'o', "M 1 70 L 46 0 M 45 70 L 0 0"},
    {U'y', 49, 'o', 'o', "M 0 70 L 25.5 1 M 49 70 L 22 -9 C 17 -23 12 -29 2 -28"},
    {U'z', 43, 'o', 'o', "M 2 70 H 42 L 0 0 H 43"},
    {U'{', 24, 'o', 'o',
     "M 24 110 v 11 96 V 60 C 11 50 8 46 0 46 C 8 46 11 42 11 32 V -4 v 24 -18"},
    {U'|', 0, 's', 's', "M 0 112 V -20"},
    {U'}', 24, 'o', 'o',
     "M 0 110 h 13 96 V 60 C 13 50 16 46 24 46 C 16 46 13 42 13 32 V -4 v 0 -18"},
    {U'~', 56, 'r', 'r', "M 0 38 C 6 52 16 56 28 46 C 40 36 50 40 56 54"},
    {U'¡', 0, 's', 's', "M 0 -29 V 37 D 0 70"},
    {U'£', 54, 'o', 'o',
     "M 51 79 C 48 93 41 100 31 100 h 12 76 V 44 C 12 22 8 8 0 0 H 54 M 0 48 H 40"},
    {U'§', 42, 'r', 'r',
     "M 40 86 C 38 95 31 100 21 100 h 3 84 C 3 64 42 66 42 46 v 21 29 M 21 70 h 0 53 C 0 34 40 36 "
     "40 "
     "10 v 21 -6 C 10 -6 3 0 1 10"},
    {U'«', 46, 'o', 'o', "M 22 62 L 0 37 L 22 12 M 46 62 L 24 37 L 46 12"},
    {U'°', 30, 'r', 'r', "M 0 85 v 15 100 h 30 85 v 15 70 h 0 85"},
    {U'±', 58, 'r', 'r', "M 29 84 V 30 M 0 57 H 58 M 0 6 H 58"},
    {U'µ', 44, 's', 's', "M 0 70 V -29 M 44 0 V 70 M 0 70 V 22 v 20 0 C 32 0 42 12 44 30"},
    {U'·', 0, 's', 's', "D 0 42"},
    {U'»', 46, 'o', 'o', "M 0 62 L 22 37 L 0 12 M 24 62 L 46 37 L 24 12"},
    {U'¿', 50, 'r', 'o', "M 50 -6 C 48 -21 39 -29 25 -29 h 0 -5 C 0 16 25 14 25 37 V 40 D 25 70"},
    {U'Æ', 98, 'o', 'o', "M 0 0 L 46 100 H 97 M 50 100 V 0 H 98 M 50 53 H 93 M 15 32 H 50"},
    {U'×', 44, 'r', 'r', "M 0 67 L 44 23 M 44 67 L 0 23"},
    {U'Ø', 74, 'r', 'r', "M 0 50 v 37 100 h 74 50 v 37 0 h 0 50 M 66 104 L 8 -4"},
    {U'Þ', 54, 's', 'r', "M 0 0 V 100 M 0 79 H 27 h 54 51 v 27 23 H 0"},
    {U'ß', 48, 's', 'r',
     "M 0 0 V 78 v 22 104 h 42 83 C 42 66 26 66 26 54 C 26 40 48 42 48 20 v 29 0 C 23 0 20 2 17 5"},
    {U'æ', 82, 'o', 'r',
     "M 2 54 C 5 65 11 70 20 70 h 40 48 V 28 C 40 10 30 0 18 0 h 0 19 C 0 29 6 34 16 36 C 26 38 32 "
     "38 "
     "82 37 M 40 40 v 61 70 h 82 37 M 40 30 v 61 0 C 71 0 78 6 81 18"},
    {U'ð', 50, 'r', 'r',
     "M 0 32 v 25 64 h 50 34 v 25 0 h 0 32 M 12 104 C 36 96 50 72 50 34 M 8 82 L 40 98"},
    {U'÷', 58, 'r', 'r', "M 0 45 H 58 D 29 72 D 29 18"},
    {U'ø', 52, 'r', 'r', "M 0 35 v 26 70 h 52 35 v 26 0 h 0 35 M 47 75 L 5 -5"},
    {U'þ', 50, 's', 'r', "M 0 104 V -29 M 0 35 v 26 70 h 50 35 v 26 0 h 0 35"},
    {U'Đ', 75, 'n', 'r', "M 10 0 V 100 H 38 h 75 50 v 38 0 H 10 M 0 53 H 38"},
    {U'đ', 50, 'r', 's', "M 50 0 V 104 M 50 35 v 24 70 h 0 35 v 24 0 h 50 35 M 24 88 H 62"},
    {U'ı', 0, 's', 's', "M 0 0 V 70"},
    {U'Ł', 50, 'n', 'o', "M 10 100 V 0 H 50 M 0 40 L 32 62"},
    {U'ł', 24, 'n', 'n', "M 12 0 V 104 M 0 44 L 24 60"},
    {U'Œ', 104, 'r', 'o', "M 103 100 H 37 h 0 50 v 37 0 H 104 M 58 100 V 0 M 58 53 H 98"},
    {U'œ', 90, 'r', 'r',
     "M 0 35 v 24 70 h 46 35 v 24 0 h 0 35 M 46 36 H 90 v 68 70 h 46 35 v 68 0 C 78 0 86 6 88 18"},
    {U'ȷ', 0, 's', 's', "M 0 70 V -12 C 0 -24 -5 -29 -14 -29"},
    {U'Δ', 72, 'o', 'o', "M 0 0 L 36 100 L 72 0 H 0"},
    {U'α', 56, 'r', 'o',
     "M 54 70 C 46 30 38 0 22 0 h 0 35 v 22 70 C 38 70 42 40 46 20 C 48 8 50 0 56 0"},
    {U'μ', 44, 's', 's', "M 0 70 V -29 M 44 0 V 70 M 0 70 V 22 v 20 0 C 32 0 42 12 44 30"},
    {U'σ', 54, 'r', 'o', "M 56 70 H 25 h 0 35 v 25 0 h 50 35 C 50 54 42 66 30 70"},
    {U'–', 48, 'r', 'r', "M 0 38 H 48"},
    {U'—', 88, 'r', 'r', "M 0 38 H 88"},
    {U'‘', 8, 'o', 's', "M 0 76 C 0 88 3 95 8 100"},
    {U'’', 8, 'o', 's', "M 8 100 C 8 88 5 81 0 76"},
    {U'‚', 8, 'o', 's', "M 8 3 C 8 -8 5 -14 0 -19"},
    {U'“', 30, 'o', 's', "M 0 76 C 0 88 3 95 8 100 M 22 76 C 22 88 25 95 30 100"},
    {U'”', 30, 'o', 's', "M 8 100 C 8 88 5 81 0 76 M 30 100 C 30 88 27 81 22 76"},
    {U'„', 30, 'o', 's', "M 8 3 C 8 -8 5 -14 0 -19 M 30 3 C 30 -8 27 -14 22 -19"},
    {U'•', 0, 's', 's', "D -4 40 D 4 40 D 0 36 D 0 44"},
    {U'…', 68, 's', 's', "D 0 0 D 34 0 D 68 0"},
    {U'€', 64, 'o', 'o',
     "M 63 82 C 58 94 50 100 39 100 C 20 100 10 80 10 50 C 10 20 20 0 39 0 C 50 0 58 6 63 18 M 0 "
     "61 H 48 "
     "M 0 40 H 45"},
    {U'←', 76, 'r', 'r', "M 76 42 H 0 M 24 66 L 0 42 L 24 18"},
    {U'→', 76, 'r', 'r', "M 0 42 H 76 M 52 66 L 76 42 L 52 18"},
    {U'−', 52, 'r', 'r', "M 0 45 H 52"},
    {U'√', 60, 'o', 'o', "M 0 46 L 10 52 L 28 0 L 60 106"},
    {U'∞', 84, 'r', 'r',
     "M 42 44 C 30 62 24 66 17 66 h 0 44 v 17 22 C 24 22 30 26 42 44 C 54 62 60 66 67 66 h 84 44 v "
     "67 22 C "
     "60 22 54 26 42 44"},
    {U'≈', 56, 'r', 'r',
     "M 0 52 C 6 66 16 68 28 60 C 40 52 50 54 56 68 M 0 24 C 6 38 16 40 28 32 C 40 24 50 26 56 40"},
    {U'≠', 58, 'r', 'r', "M 0 60 H 58 M 0 30 H 58 M 44 82 L 14 8"},
    {U'≤', 54, 'r', 'r', "M 54 84 L 0 58 L 54 32 M 0 6 H 54"},
    {U'≥', 54, 'r', 'r', "M 0 84 L 54 58 L 0 32 M 0 6 H 54"},
};

// Marks over a small letter; their feet at 84, or below the base line.
constexpr const char* kGrave = "M -11 101 L 5 84";
constexpr const char* kAcute = "M 11 101 L -5 84";
constexpr const char* kCircumflex = "M -15 84 L 0 101 L 15 84";
constexpr const char* kTilde = "M -17 87 C -13 97 -7 98 0 93 C 7 88 13 89 17 99";
constexpr const char* kDiaeresis = "D -14 94 D 14 94";
constexpr const char* kRing = "M -10 95 v 0 105 h 10 95 v 0 85 h -10 95";
constexpr const char* kCaron = "M -15 101 L 0 84 L 15 101";
constexpr const char* kBreve = "M -15 101 C -12 82 12 82 15 101";
constexpr const char* kMacron = "M -16 92 H 16";
constexpr const char* kDotAbove = "D 0 96";
constexpr const char* kDoubleAcute = "M -2 101 L -14 84 M 18 101 L 6 84";
constexpr const char* kCedilla = "M 0 0 L -2 -10 C 8 -8 12 -14 10 -20 C 8 -28 -4 -30 -11 -26";
constexpr const char* kOgonek = "M 4 0 C -8 -10 -8 -26 10 -24";

struct Accents {
  const char* mark;
  const char32_t* letters;  // composed and base in turn
};
constexpr Accents kAccents[] = {
    {kGrave, U"ÀAÈEÌIÒOÙUàaèeìıòoùu"},
    {kAcute, U"ÁAÉEÍIÓOÚUÝYáaéeíıóoúuýyĆCćcŃNńnŚSśsŹZźzĹLŔRŕr"},
    {kCircumflex, U"ÂAÊEÎIÔOÛUâaêeîıôoûuĈCĉcĜGĝgŜSŝsŴWŵwŶYŷy"},
    {kTilde, U"ÃAÑNÕOãañnõoĨIĩıŨUũu"},
    {kDiaeresis, U"ÄAËEÏIÖOÜUŸYäaëeïıöoüuÿy"},
    {kRing, U"ÅAåaŮUůu"},
    {kCaron, U"ČCčcĎDĚEěeŇNňnŘRřrŠSšsŽZžzǍAǎaĞGğg"},
    {kBreve, U"ĂAăaĔEĕeĬIĭıŎOŏoŬUŭu"},
    {kMacron, U"ĀAāaĒEēeĪIīıŌOōoŪUūu"},
    {kDotAbove, U"ĊCċcĖEėeĠGġgİIŻZżz"},
    {kDoubleAcute, U"ŐOőoŰUűu"},
    {kCedilla, U"ÇCçcŞSşsŢTţt"},
    {kOgonek, U"ĄAąaĘEęeĮIįıŲUųu"},
};

struct Small {
  char32_t code, base;
};
constexpr Small kRaised[] = {{U'⁰', U'0'}, {U'¹', U'1'}, {U'²', U'2'}, {U'³', U'3'}, {U'⁴', U'4'},
                             {U'⁵', U'5'}, {U'⁶', U'6'}, {U'⁷', U'7'}, {U'⁸', U'8'}, {U'⁹', U'9'},
                             {U'⁻', U'−'}, {U'⁺', U'+'}, {U'ª', U'a'}, {U'º', U'o'}};
constexpr Small kLowered[] = {{U'₀', U'0'}, {U'₁', U'1'}, {U'₂', U'2'}, {U'₃', U'3'}, {U'₄', U'4'},
                              {U'₅', U'5'}, {U'₆', U'6'}, {U'₇', U'7'}, {U'₈', U'8'}, {U'₉', U'9'}};
// Drawn as another character.
constexpr Small kSame[] = {{U'\u00a0', U' '}, {U'\u202f', U' '}, {U'\u2009', U' '},
                           {U'\u2010', U'-'}, {U'\u2011', U'-'}, {U'\t', U' '},
                           {U'\n', U' '}};

struct Pair {
  std::u32string_view left, right;
  double nearer;
};
constexpr Pair kPairs[] = {
    {U"AÄÀÁÂÃÅ", U"VWY", 10}, {U"VWY", U"AÄÀÁÂÃÅ", 10},
    {U"AÄL", U"T", 10},       {U"T", U"AÄ", 10},
    {U"L", U"VWY", 10},       {U"TVYF", U".,…", 16},
    {U"P", U".,…", 18},       {U"T", U"aceoqsäöuürwyn", 9},
    {U"VWY", U"aceoqäö", 7},  {U"vwyr", U".,…", 10},
    {U"P", U"Aa", 6},         {U"r", U"acdeoqg", 3},
    {U"F", U"aoA", 6},        {U"K", U"oOC", 4},
};

}  // namespace

const Glyph* find_glyph(char32_t code) {
  static_assert(std::ranges::is_sorted(kGlyphs, {}, &Glyph::code), "looked up by halves");
  const auto* at = std::ranges::lower_bound(kGlyphs, code, {}, &Glyph::code);
  return at != std::end(kGlyphs) && at->code == code ? at : nullptr;
}

Composed find_composed(char32_t code) {
  Composed made;
  for (const Accents& accents : kAccents) {
    const std::u32string_view letters = accents.letters;
    for (std::size_t i = 0; i + 1 < letters.size(); i += 2) {
      if (letters[i] != code) continue;
      made.base = letters[i + 1];
      made.mark = accents.mark;
      made.mark_x = made.base == U'L' ? 0.1 : 0.5;
      const bool below = accents.mark == kCedilla || accents.mark == kOgonek;
      if (accents.mark == kOgonek) made.mark_x = 0.85;
      made.mark_lift = !below && made.base < U'a' ? 31 : 0;
      return made;
    }
  }
  for (const Small& s : kRaised) {
    if (s.code == code) return {.base = s.base, .scale = 0.62, .lift = 44};
  }
  for (const Small& s : kLowered) {
    if (s.code == code) return {.base = s.base, .scale = 0.62, .lift = -18};
  }
  for (const Small& s : kSame) {
    if (s.code == code) return {.base = s.base};
  }
  return made;
}

double kerning(char32_t left, char32_t right) {
  for (const Pair& pair : kPairs) {
    const bool both =
        pair.left.find(left) != pair.left.npos && pair.right.find(right) != pair.right.npos;
    if (both) return pair.nearer;
  }
  return 0;
}

}  // namespace pegnn
