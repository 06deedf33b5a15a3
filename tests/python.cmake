# Tests of the Python package; skipped (77) where the packages they need are not installed.

set(python_folder ${CMAKE_CURRENT_SOURCE_DIR}/python)
set(python_package ${PROJECT_BINARY_DIR}/python)

# pegnn_python_test(NAME SCRIPT WORD...): a script of tests/python, which knows how to skip.
function(pegnn_python_test name script)
  add_test(NAME ${name} COMMAND Python3::Interpreter ${python_folder}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600)
endfunction()

if(NOT PEGNN_SANITIZE)
  pegnn_python_test(python run_tests.py ${python_package} -m "not slow")
  pegnn_python_test(python_docs check_python_docs.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  pegnn_python_test(python_estimators run_tests.py ${python_package} -m slow)
  pegnn_python_test(wheel check_wheel.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  set_tests_properties(python_estimators wheel PROPERTIES LABELS slow)
elseif(PEGNN_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The interpreter is not built with sanitizers: their library must be in the process before it, and
  # the library of exceptions with it, or the first throw ends the process. Leaks are not looked for:
  # the interpreter leaves much behind, and what we allocate is allocated on its behalf, so that no
  # list of exceptions would tell the two apart.
  foreach(library IN ITEMS libasan.so libstdc++.so.6)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library}
                    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND preloaded ${found})
  endforeach()
  list(JOIN preloaded ":" preloaded)
  pegnn_python_test(python run_tests.py ${python_package} -m "not slow")
  set_tests_properties(python PROPERTIES ENVIRONMENT
    "LD_PRELOAD=${preloaded};ASAN_OPTIONS=detect_leaks=0;PYTHONMALLOC=malloc")
endif()
