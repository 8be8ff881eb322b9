// SPDX-License-Identifier: Apache-2.0
//
// What compiled programs and the runtime agree on: the C interface between
// emitted code and the static library linked into every binary. Emitted code
// depends on the layouts and signatures here; a change here is a change of the
// code generator.

#ifndef SCANWEAVE_RUNTIME_RUNTIME_H
#define SCANWEAVE_RUNTIME_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A team of workers that runs one chunk. Owned by the runtime.
typedef struct scanweave_team scanweave_team;

/// One worker of a team. Emitted code reads `index` and `size` directly.
typedef struct scanweave_worker {
  int64_t index; ///< 0 <= index < size
  int64_t size;  ///< number of workers that the threading layer granted
  scanweave_team *team;
  uint64_t exchanges; ///< exchanges done so far in this chunk
} scanweave_worker;

/// Element types of exchanged values. Bools are stored as one byte.
typedef enum scanweave_type {
  SCANWEAVE_F32 = 0,
  SCANWEAVE_F64 = 1,
  SCANWEAVE_I8 = 2,
  SCANWEAVE_I16 = 3,
  SCANWEAVE_I32 = 4,
  SCANWEAVE_I64 = 5,
  SCANWEAVE_BOOL = 6
} scanweave_type;

/// How rows combine. Numbered as the dialect's CombineKind. Max and min of
/// floats propagate NaN and order -0.0 below +0.0.
typedef enum scanweave_kind {
  SCANWEAVE_ADD = 0,
  SCANWEAVE_MUL = 1,
  SCANWEAVE_MAX = 2,
  SCANWEAVE_MIN = 3,
  SCANWEAVE_UMAX = 4,
  SCANWEAVE_UMIN = 5,
  SCANWEAVE_AND = 6,
  SCANWEAVE_OR = 7,
  SCANWEAVE_XOR = 8
} scanweave_kind;

//===-- Emitted code calls these
//-------------------------------------------===//

/// Emitted per launch: opens a parallel region of at most `threads` workers,
/// each of which runs steps [first, last) of the program.
typedef void (*scanweave_chunk)(void *state, int64_t first, int64_t last,
                                int32_t threads, scanweave_team *team);

/// Runs `steps` steps in chunks. A launch without steps has steps == -1 and
/// runs `chunk` once with first == last == 0. `row_bytes` is the size of the
/// largest row of an all_reduce in it, 0 if there is none.
void scanweave_run(scanweave_chunk chunk, void *state, int64_t steps,
                   int64_t row_bytes);

/// First call of a worker in the parallel region: its view of the team. Sets
/// the floating-point mode (round to nearest, no exceptions trapped, subnormals
/// kept).
scanweave_worker *scanweave_worker_begin(scanweave_team *team);
/// Last call of a worker in the parallel region; restores the floating-point
/// mode.
void scanweave_worker_end(scanweave_worker *worker);

/// Exchange: dest[0..length) becomes the tree combination of all workers' rows.
/// `rows` holds one row of `length` elements for each grain of this worker's
/// part of `extent`. `rows` may be overwritten.
void scanweave_all_reduce(scanweave_worker *worker, int32_t kind, int32_t type,
                          void *rows, int64_t extent, int64_t length,
                          void *dest);

/// Exchange: dest[outer][extent][inner] becomes all workers' shards
/// [outer][size][inner] put together, `inner` in bytes.
void scanweave_gather_shards(scanweave_worker *worker, const void *shard,
                             int64_t outer, int64_t extent, int64_t inner,
                             void *dest);

/// Waits until all workers of the team are here.
void scanweave_barrier(scanweave_worker *worker);

/// Ends the program with a message, for example when two extents that must
/// agree don't. Never returns.
void scanweave_fail(const char *message);

//===-- The program's entry
//------------------------------------------------===//

/// Emitted per variant of @main. `arguments[i]` points to a scalar, or to the
/// memref descriptor of a contiguous row-major tensor
/// {void *allocated, *aligned; int64_t offset, sizes[rank], strides[rank]},
/// whose buffer is only read. `results[i]` points to where the variant's i-th
/// result goes: a scalar, or a memref descriptor whose buffer the caller
/// frees with free(allocated). Bools take a byte, index is int64_t.
typedef void (*scanweave_entry)(void **arguments, void **results);

/// The main function of a binary. `descriptor` is the program's JSON text:
///   {"name": "es", "help": "...",
///    "arguments": [{"name": "steps", "type": "index", "shape": null,
///    "unsigned": false,
///                   "default": 1000000, "help": "..."},
///                  {"name": "x0", "type": "f32", "shape": [10],
///                  "default": 1.0}, ...],
///    "results": [{"name": "x", "type": "f32", "shape": [10]},
///                {"name": "xs", "type": "f32", "shape": [-1, 10]}],
///    "variants": [[0], [0, 1]]}
/// Types: f16 bf16 f32 f64 i1 i8 i16 i32 i64 index. A shape of null is a
/// scalar, an extent of -1 is dynamic. A tensor's default is a scalar that
/// fills it (static shapes only); without a default an argument is required.
/// A variant lists the results it computes, ascending; `entries` has one
/// entry per variant; the runtime runs the smallest one with the results that
/// are asked for. Returns the exit code.
int scanweave_main(int argc, char **argv, const char *descriptor,
                   const scanweave_entry *entries);

#ifdef __cplusplus
}
#endif

#endif // SCANWEAVE_RUNTIME_RUNTIME_H
