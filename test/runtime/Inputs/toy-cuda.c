/* toy-cuda.c - toy.c's kernels for an NVIDIA GPU: the same bodies, one thread of a block at work.
 * Compiled to PTX by clang alone, to a cubin by ptxas. */
#define toy_embed body_embed
#define toy_mix body_mix
#define toy_head body_head
#define toy_advance body_advance
#define toy_engram body_engram
#define toy_head_dirty body_head_dirty
#include "toy.c"
#undef toy_embed
#undef toy_mix
#undef toy_head
#undef toy_advance
#undef toy_engram

#define KERNEL __attribute__((nvptx_kernel)) void
#define RUN(body, ...)                                                                             \
  do {                                                                                             \
    void *buffers[] = {__VA_ARGS__};                                                               \
    const i64 block[3] = {__nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(), 0};      \
    float arena[8];                                                                                \
    if (__nvvm_read_ptx_sreg_tid_x() == 0)                                                         \
      body(buffers, rows, block, arena);                                                           \
  } while (0)

KERNEL toy_embed(void *a, void *b, void *c, void *d, i64 rows) { RUN(body_embed, a, b, c, d); }
KERNEL toy_mix(void *a, void *b, void *c, void *d, void *e, void *f, void *g, i64 rows) {
  RUN(body_mix, a, b, c, d, e, f, g);
}
KERNEL toy_head(void *a, void *b, void *c, i64 rows) { RUN(body_head, a, b, c); }
