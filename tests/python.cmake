# Tests of the Python package; skipped (77) where the packages they need are not installed.

set(python_package ${PROJECT_BINARY_DIR}/python)

if(NOT PEGNN_SANITIZE)
  pegnn_script_test(python python python/run_tests.py ${python_package} -m "not slow")
  pegnn_script_test(python_docs python python/check_python_docs.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  pegnn_script_test(python_estimators estimators python/run_tests.py ${python_package} -m slow)
  pegnn_script_test(wheel wheel python/check_wheel.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
elseif(PEGNN_SANITIZE MATCHES "address")
  # The interpreter is not built with sanitizers: their library must be in the process before it, and
  # the library of exceptions with it, or the first throw ends the process. Leaks are not looked for:
  # the interpreter leaves much behind, and what we allocate is allocated on its behalf, so that no
  # list of exceptions would tell the two apart.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.so.6
                  OUTPUT_VARIABLE exceptions OUTPUT_STRIP_TRAILING_WHITESPACE)
  pegnn_script_test(python python python/run_tests.py ${python_package} -m "not slow")
  set_tests_properties(python PROPERTIES ENVIRONMENT
    "LD_PRELOAD=${PEGNN_ASAN_LIBRARY}:${exceptions};ASAN_OPTIONS=detect_leaks=0;PYTHONMALLOC=malloc")
endif()
