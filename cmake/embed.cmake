# pegnn_embed(FILE SYMBOL OUT): a C++ source that holds the bytes of a text file as
# `extern const char pegnn::SYMBOL[]`, in pieces below every compiler's literal limit.
function(pegnn_embed file symbol out)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(LENGTH "${text}" length)
  set(pieces "")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 16000 piece)
    string(APPEND pieces "R\"pegnn(${piece})pegnn\"\n")
    math(EXPR begin "${begin} + 16000")
  endwhile()
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"// Joined, the pieces are longer than a compiler must support; gcc and clang do.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
namespace pegnn {
extern const char ${symbol}[];
const char ${symbol}[] = ${pieces};
}  // namespace pegnn
")
  set(${out} ${source} PARENT_SCOPE)
endfunction()
