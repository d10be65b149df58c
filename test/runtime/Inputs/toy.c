/* toy.c - the kernels of toy.json: a model of one layer that touches every kind of buffer.
 *
 *   x[t, s]  = embed[token] * (s + 1) + bias
 *   x[t, 0] += sum over the sequence's tokens so far of their x[., 0]        (state, per slot)
 *   x[t, 1] += sum over j <= position of (token_j * (j + 1)) / 64            (paged cache)
 *   logits[t, v] = x[t, 0] . head[v] + x[t, 1] . head[v] / 2
 *
 * and, for toy-ahead.py, the rows of the next step: the best token, noted per slot and position; for toy-engram.py, x[t, 0] also
 * gets a table row that the last two tokens name.
 *
 * Compiled without any library; the ABI is that of runtime/package/Manifest.h.
 */
typedef long long i64;
typedef const i64 *Block;
enum { hidden = 4, streams = 2, vocab = 16, page = 8, pagesPerSlot = 5 };

#ifdef TRACE
/* What a kernel with trace points writes down (runtime/package/Trace.h): toy_mix has one block, which runs on multiprocessor 5 and takes
 * a microsecond from one point to the next. */
char toy_mix_trace[2048 * 2048];
static void note(unsigned point) {
  static i64 microseconds = 7;
  i64 *count = (i64 *)toy_mix_trace;
  char *event = toy_mix_trace + 16 * (1 + (*count)++ % 127);
  *(i64 *)event = ++microseconds * 1000;
  *(unsigned *)(event + 12) = 5 | point << 16;
}
#else
static void note(unsigned point) {}
#endif

void toy_embed(void *const *buffers, i64 rows, Block block, void *arena) {
  const int *tokens = buffers[0];
  const float *table = buffers[1], *bias = buffers[2];
  float *x = buffers[3];
  for (i64 t = block[0] * 3; t < rows && t < block[0] * 3 + 3; ++t)
    for (int s = 0; s < streams; ++s)
      for (int k = 0; k < hidden; ++k)
        x[(t * streams + s) * hidden + k] = table[tokens[t] * hidden + k] * (float)(s + 1) + bias[k];
}

void toy_mix(void *const *buffers, i64 rows, Block block, void *arena) {
  const int *tokens = buffers[0], *positions = buffers[1], *slots = buffers[2], *pages = buffers[3];
  float *sums = buffers[4], *x = buffers[6];
  int *cache = buffers[5];
  note(0), note(1);
  for (i64 t = 0; t < rows; ++t) {
    const int *table = pages + slots[t] * pagesPerSlot;
    float *sum = sums + slots[t] * hidden, *row = x + t * streams * hidden;
    cache[table[positions[t] / page] * page + positions[t] % page] = tokens[t];
    float history = 0;
    for (int j = 0; j <= positions[t]; ++j)
      history += (float)(cache[table[j / page] * page + j % page] * (j + 1)) / 64;
    for (int k = 0; k < hidden; ++k) {
      sum[k] = (positions[t] ? sum[k] : 0) + row[k];
      row[k] = sum[k];
      row[hidden + k] += history;
    }
  }
  note(3);
}

void toy_head(void *const *buffers, i64 rows, Block block, void *arena) {
  const float *x = (const float *)buffers[0] + block[0] * streams * hidden;
  const float *head = (const float *)buffers[1] + block[1] * 8 * hidden;
  float *logits = (float *)buffers[2] + block[0] * vocab + block[1] * 8;
  float *scratch = arena;
  for (int v = 0; v < 8; ++v) {
    scratch[v] = 0;
    for (int k = 0; k < hidden; ++k)
      scratch[v] += x[k] * head[v * hidden + k] + x[hidden + k] * head[v * hidden + k] / 2;
    logits[v] = scratch[v];
  }
}

void toy_advance(void *const *buffers, i64 rows, Block block, void *arena) {
  enum { listed = 5 };
  const float *logits = buffers[0];
  const int *slots = buffers[1];
  int *chosen = buffers[2], *tokens = buffers[3], *positions = buffers[4];
  for (i64 t = 0; t < rows; ++t, logits += vocab) {
    int best = 0;
    for (int v = 1; v < vocab; ++v)
      best = logits[v] > logits[best] ? v : best;
    tokens[t] = best;
    positions[t] += 1;
    chosen[slots[t] * listed + positions[t] % listed] = best;
  }
}

/* For toy-engram.py: a row of a table, found by the ids of the token and the one before it. */
void toy_engram(void *const *buffers, i64 rows, Block block, void *arena) {
  const int *tokens = buffers[0], *positions = buffers[1], *slots = buffers[2], *pages = buffers[3];
  const int *cache = buffers[4], *map = buffers[5], *gathered = buffers[6];
  const signed char *codes = buffers[7], *scales = buffers[8];
  float *x = buffers[9];
  for (i64 t = 0; t < rows; ++t) {
    int before = positions[t] - 1;
    const int *table = pages + slots[t] * pagesPerSlot;
    i64 old = map[before < 0 ? 2 : cache[table[before / page] * page + before % page]];
    i64 hash = (i64)map[tokens[t]] * 3 ^ old * 5, row = hash % 31;
    row = *gathered ? t : (row < 0 ? row + 31 : row) + 7;
    for (int k = 0; k < hidden; ++k)
      x[t * streams * hidden + k] += (float)(codes[row * hidden + k] * scales[row]) / 1024;
  }
}

/* Reads its arena before writing it: under poison the result is NaN. */
void toy_head_dirty(void *const *buffers, i64 rows, Block block, void *arena) {
  float *scratch = arena, before = scratch[0];
  toy_head(buffers, rows, block, arena);
  ((float *)buffers[2])[block[0] * vocab] += before;
}

/* mix and head as phases of one kernel; buffers of both, x once. */
void toy_both(void *const *buffers, i64 rows, Block block, void *arena) {
  if (block[3] == 0)
    toy_mix(buffers, rows, block, arena);
  else
    toy_head(buffers + 6, rows, block, arena);
}
