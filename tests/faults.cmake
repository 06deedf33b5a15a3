# Faults on purpose: memory that cannot be had, disks that fail, processes that die (tests/faults).

set(faults_folder ${CMAKE_CURRENT_SOURCE_DIR}/faults)

# With operators of its own for memory; under the address sanitizer it finds what is leaked.
add_executable(memory_faults faults/memory_faults.cpp)
target_link_libraries(memory_faults PRIVATE pegnn_test_flags)
set_target_properties(memory_faults PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
add_test(NAME memory_faults COMMAND memory_faults)
set_tests_properties(memory_faults PROPERTIES TIMEOUT 3600)

# The sanitizers bring functions of their own in place of those that the library stands in for.
if(NOT PEGNN_SANITIZE)
  add_library(pegnn_torture MODULE
    faults/clock.cpp faults/fail_nth.cpp faults/fault_plan.cpp faults/fork_server.cpp)
  target_link_libraries(pegnn_torture PRIVATE pegnn_flags ${CMAKE_DL_LIBS})
  set_target_properties(pegnn_torture PROPERTIES
    PREFIX lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  # All parts but the geographic one, which takes as long as the others together.
  add_test(NAME torture COMMAND Python3::Interpreter ${faults_folder}/torture.py ${PROJECT_BINARY_DIR} --quick
    allocations writes kills interrupts two_runs disk_full read_only memory_limit clock_and_locale python)
  # Nothing beside it: it measures how long things take, and has little time.
  set_tests_properties(torture PROPERTIES RUN_SERIAL ON TIMEOUT 1200)
endif()
