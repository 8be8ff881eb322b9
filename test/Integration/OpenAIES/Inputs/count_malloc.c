// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a program: counts its calls of malloc and friends and prints
// the number at the end, on standard error.

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long calls;

void *malloc(size_t size) {
  ++calls;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  ++calls;
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  ++calls;
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  ++calls;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  ++calls;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}

__attribute__((destructor)) static void report(void) {
  fprintf(stderr, "allocations: %ld\n", (long)calls);
}
