# Faults on purpose: memory that cannot be had, disks that fail, processes that die (tests/faults).

# With operators of its own for memory; under the address sanitizer it finds what is leaked. The thread sanitizer does
# not let its own go.
if(NOT PEGNN_SANITIZE MATCHES "thread")
  pegnn_test_program(memory_faults unit 1 faults/memory_faults.cpp)
endif()

# The sanitizers bring functions of their own in place of those that the library stands in for.
if(NOT PEGNN_SANITIZE)
  add_library(pegnn_torture MODULE
    faults/clock.cpp faults/fail_nth.cpp faults/fault_plan.cpp faults/fork_server.cpp)
  target_link_libraries(pegnn_torture PRIVATE pegnn_flags ${CMAKE_DL_LIBS})
  set_target_properties(pegnn_torture PROPERTIES
    PREFIX lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  # All parts but the geographic one, which takes as long as the others together.
  pegnn_script_test(torture torture faults/torture.py ${PROJECT_BINARY_DIR} --quick
    allocations writes kills interrupts two_runs disk_full read_only memory_limit clock_and_locale python)
  # Nothing beside it: it measures how long things take, and has little time.
  set_tests_properties(torture PROPERTIES RUN_SERIAL ON TIMEOUT 1200)
endif()
