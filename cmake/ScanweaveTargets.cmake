# SPDX-License-Identifier: Apache-2.0
#
# How targets of this project are declared.

set(SCANWEAVE_CXX_FLAGS -Wall -Wextra -Wno-unused-parameter -fno-exceptions)
if(NOT LLVM_ENABLE_RTTI)
  list(APPEND SCANWEAVE_CXX_FLAGS -fno-rtti)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Lets compiler caches reuse the precompiled header.
  list(APPEND SCANWEAVE_CXX_FLAGS -Xclang -fno-pch-timestamp)
endif()
if(SCANWEAVE_WERROR)
  list(APPEND SCANWEAVE_CXX_FLAGS -Werror)
endif()

# scanweave_sanitize(<target>) applies SCANWEAVE_SANITIZE to one target.
function(scanweave_sanitize name)
  if(SCANWEAVE_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=${SCANWEAVE_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC -fsanitize=${SCANWEAVE_SANITIZE})
  endif()
endfunction()

# scanweave_add_library(<name> <source>... [LINK <lib>...])
# A static library of the compiler: sees MLIR's headers and the shared
# precompiled header, which holds the big ones.
function(scanweave_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  scanweave_compiler_target(${name})
  target_precompile_headers(${name} REUSE_FROM ScanweavePrecompiled)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
endfunction()

# scanweave_compiler_target(<name>): include paths and flags of code that uses MLIR.
function(scanweave_compiler_target name)
  target_include_directories(${name} PUBLIC
    ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
  target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE ${SCANWEAVE_CXX_FLAGS})
  scanweave_sanitize(${name})
  add_dependencies(${name} ScanweaveTablegen)
endfunction()
