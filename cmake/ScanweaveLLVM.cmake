# SPDX-License-Identifier: Apache-2.0
#
# Finds LLVM and MLIR 22.1, and nothing else: other versions may be installed
# beside it. Tools link the shared libMLIR and libLLVM only, since a second,
# static copy would give every type a second id.
set(SCANWEAVE_LLVM_VERSION 22.1)
if(NOT MLIR_DIR AND EXISTS /usr/lib/llvm-22/lib/cmake/mlir)
  set(MLIR_DIR /usr/lib/llvm-22/lib/cmake/mlir CACHE PATH "Where MLIRConfig.cmake is")
endif()
find_package(MLIR ${SCANWEAVE_LLVM_VERSION} REQUIRED CONFIG)
find_package(LLVM ${SCANWEAVE_LLVM_VERSION} REQUIRED CONFIG
             HINTS ${MLIR_DIR}/../llvm NO_DEFAULT_PATH)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

# TableGen looks for included files here.
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS})
include_directories(${CMAKE_SOURCE_DIR}/include)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
