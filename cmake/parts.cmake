# Parts are listed once, in src/<folder>/<folder>s.def; sources and tests follow from the list.

# pegnn_parts(FOLDER LIST_FILE OUT): names in the list, each checked to have src/FOLDER/<name>.cpp
# and tests/FOLDER/<name>_test.cpp.
function(pegnn_parts folder list_file out)
  set(list_path ${PROJECT_SOURCE_DIR}/src/${folder}/${list_file})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_path})
  file(STRINGS ${list_path} lines REGEX "^[A-Z]+\\(")
  set(names)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[A-Z]+\\(([a-z0-9_]+)\\).*$" "\\1" name "${line}")
    set(files src/${folder}/${name}.cpp)
    if(EXISTS ${PROJECT_SOURCE_DIR}/tests)  # which a source package for Python lacks
      list(APPEND files tests/${folder}/${name}_test.cpp)
    endif()
    foreach(file IN LISTS files)
      if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${file})
        message(FATAL_ERROR "src/${folder}/${list_file} lists '${name}', but ${file} is missing")
      endif()
    endforeach()
    list(APPEND names ${name})
  endforeach()
  set(${out} ${names} PARENT_SCOPE)
endfunction()
