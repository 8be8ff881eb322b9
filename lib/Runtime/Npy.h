// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing NumPy's .npy files.

#ifndef SCANWEAVE_LIB_RUNTIME_NPY_H
#define SCANWEAVE_LIB_RUNTIME_NPY_H

#include "Tensor.h"

#include <string>

namespace scanweave::runtime {

/// Reads a tensor of the given type and shape (extents may be dynamic).
/// Fortran order and big-endian numbers are converted. Throws UsageError
/// "<path>: <what is wrong>".
Tensor readNpy(const std::string &path, Element element, const Shape &expected);

/// Throws UsageError if `path` cannot be written. Leaves no file behind.
void checkWritable(const std::string &path);

/// Writes a tensor to a file of another name, which is then renamed: `path`
/// never names half a tensor. Devices and pipes are written to directly.
void writeNpy(const std::string &path, const TensorView &tensor);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_NPY_H
