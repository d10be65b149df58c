/*===- capi.c - the C API from C11: steps the toy package and knows what must come out -------------===*/

#include "ced.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { hidden = 4, streams = 2, vocab = 16, most = 32 };

static int failures = 0;
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                              \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

/* Success, or the message is printed. */
static int ok(ced_status *status) {
  int good = ced_status_code_of(status) == CED_OK;
  if (!good)
    printf("unexpected: %s\n", ced_status_message(status));
  ced_status_destroy(status);
  return good;
}

/* A user's error whose message holds `part`. */
static int refused(ced_status *status, const char *part) {
  int good = ced_status_code_of(status) == CED_INVALID_INPUT && ced_status_number(status) / 1000 >= 1 &&
             strstr(ced_status_message(status), part) != NULL;
  if (!good)
    printf("expected an error with '%s', got %d '%s'\n", part, (int)ced_status_code_of(status),
           ced_status_message(status));
  ced_status_destroy(status);
  return good;
}

/* What ced-test-edit writes for element i of tensor t. */
static float weight(int t, int i) { return (float)((7 * i + 3 * t) % 17 - 8) / 8.0f; }

/* Logits behind the last of n tokens, from the formulas in toy.c. `dropped`: stream 0 is replaced by 0. */
static void expected(const int32_t *tokens, int n, int dropped, float *logits) {
  static const float bias[hidden] = {0.5f, -0.25f, 0.125f, 1.0f};
  float x0[hidden] = {0}, x1[hidden], history = 0;
  for (int j = 0; j < n; ++j) {
    history += (float)(tokens[j] * (j + 1)) / 64;
    for (int k = 0; k < hidden; ++k)
      x0[k] += weight(0, tokens[j] * hidden + k) + bias[k];
  }
  for (int k = 0; k < hidden; ++k)
    x1[k] = weight(0, tokens[n - 1] * hidden + k) * 2 + bias[k] + history;
  for (int v = 0; v < vocab; ++v) {
    logits[v] = 0;
    for (int k = 0; k < hidden; ++k) {
      float head = weight(1 + v / 8, v % 8 * hidden + k);
      logits[v] += (dropped ? 0 : x0[k] * head) + x1[k] * head / 2;
    }
  }
}

static int close_to(const float *got, const float *wanted) {
  for (int v = 0; v < vocab; ++v)
    if (!(fabsf(got[v] - wanted[v]) <= 1e-4f * (1 + fabsf(wanted[v]))))
      return 0;
  return 1;
}

struct seen {
  int marks;
  int replace;
};

static void observe(void *context, const ced_mark *mark) {
  struct seen *seen = context;
  ++seen->marks;
  EXPECT(mark->name_length == 6 && memcmp(mark->name, "stream", 6) == 0);
  EXPECT(mark->layer == 0 && mark->type == CED_F32 && mark->rank == 3);
  EXPECT(mark->shape[1] == streams && mark->shape[2] == hidden);
  float *x = mark->data;
  for (int64_t t = 0; seen->replace && t < mark->shape[0]; ++t)
    memset(x + t * streams * hidden, 0, hidden * sizeof(float));
}

static void test_steps(ced_session *session) {
  static const int32_t tokens[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5}, positions[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  static const int32_t slots[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  float logits[8 * vocab], wanted[vocab];

  ced_rows rows = {5, tokens, NULL, positions, slots};
  EXPECT(ok(ced_session_step(session, &rows, CED_PREFILL, logits, 5 * vocab)));
  for (int n = 1; n <= 5; ++n) {
    expected(tokens, n, 0, wanted);
    EXPECT(close_to(logits + (n - 1) * vocab, wanted));
  }
  /* It goes on where it ended, one row and then several. */
  rows = (ced_rows){1, tokens + 5, NULL, positions + 5, slots};
  EXPECT(ok(ced_session_step(session, &rows, CED_DECODE, logits, vocab)));
  expected(tokens, 6, 0, wanted);
  EXPECT(close_to(logits, wanted));

  struct seen seen = {0, 1};
  rows = (ced_rows){2, tokens + 6, NULL, positions + 6, slots};
  EXPECT(ok(ced_session_step_observed(session, &rows, CED_DECODE, logits, 2 * vocab, observe, &seen)));
  EXPECT(seen.marks == 1);
  expected(tokens, 8, 1, wanted);
  EXPECT(close_to(logits + vocab, wanted));

  /* Refused steps change nothing: the slot still goes on at 8. */
  rows = (ced_rows){1, tokens, NULL, positions + 3, slots};
  EXPECT(refused(ced_session_step(session, &rows, CED_DECODE, logits, vocab), "holds 8 tokens"));
  rows = (ced_rows){1, tokens + 8, NULL, positions + 8, slots};
  EXPECT(refused(ced_session_step(session, &rows, CED_DECODE, logits, vocab - 1), "logits"));
  EXPECT(ok(ced_session_step(session, &rows, CED_DECODE, logits, vocab)));
  expected(tokens, 9, 0, wanted);
  EXPECT(close_to(logits, wanted));

  /* A reset slot starts anew. */
  EXPECT(ok(ced_session_reset(session, 1)));
  rows = (ced_rows){1, tokens + 5, NULL, positions, slots};
  EXPECT(ok(ced_session_step(session, &rows, CED_PREFILL, logits, vocab)));
  expected(tokens + 5, 1, 0, wanted);
  EXPECT(close_to(logits, wanted));
}

static void test_errors(const char *path, ced_session *session) {
  static const int32_t bad[1] = {vocab}, zero[1] = {0};
  float logits[vocab];
  ced_package *package = NULL;
  EXPECT(refused(ced_package_open("nowhere.ced", 11, &package), "nowhere.ced"));
  EXPECT(refused(ced_package_open(NULL, 0, &package), "argument 'path'"));
  EXPECT(refused(ced_package_open(path, strlen(path), NULL), "argument 'out_package'"));
  EXPECT(package == NULL);
  EXPECT(refused(ced_session_reset(session, 3), "slot: expected 0 to 2, got 3"));
  ced_rows rows = {1, bad, NULL, zero, zero};
  EXPECT(refused(ced_session_step(session, &rows, CED_PREFILL, logits, vocab),
                 "token id: expected 0 to 15, got 16"));
  rows = (ced_rows){1, NULL, NULL, zero, zero};
  EXPECT(refused(ced_session_step(session, &rows, CED_PREFILL, logits, vocab), "rows.tokens"));
  ced_status_destroy(NULL);
  ced_package_release(NULL);
  ced_session_destroy(NULL);
}

/* Prints the number and message of a step whose first token is at `position`, as a program would. */
static int print_failure(ced_session *session, const char *position) {
  int32_t token = 1, at = (int32_t)strtol(position, NULL, 10), slot = 0;
  ced_rows rows = {1, &token, NULL, &at, &slot};
  float logits[vocab];
  ced_status *status = ced_session_step(session, &rows, CED_PREFILL, logits, vocab);
  int code = (int)ced_status_code_of(status);
  fprintf(stderr, "error: CED%d: %s\n", ced_status_number(status), ced_status_message(status));
  ced_status_destroy(status);
  return code;
}

int main(int argc, char **argv) {
  ced_package *package = NULL;
  ced_session *session = NULL;
  ced_session_options options;
  ced_model_facts facts;
  if (argc < 3 || !ok(ced_package_open(argv[1], strlen(argv[1]), &package)))
    return 2;
  ced_package_facts(package, &facts);
  EXPECT(facts.vocab == vocab && facts.layers == 1 && facts.max_rows == 8 && facts.max_batch == 3);
  EXPECT(facts.max_context == 40 && facts.max_decode_rows == 4);

  ced_session_options_init(&options);
  EXPECT(refused(ced_session_create(package, &options, &session), "argument 'model_dir'"));
  options.model_dir = argv[2], options.model_dir_length = strlen(argv[2]);
  options.threads = 2;
  for (int variant = 0; variant < 2; ++variant) {
    options.poison = options.pages_from_top = options.check_each_kernel = variant;
    if (!ok(ced_session_create(package, &options, &session)))
      return 1;
    if (argc > 3)
      return print_failure(session, argv[3]);
    test_steps(session);
    test_errors(argv[1], session);
    if (variant == 0)
      ced_session_destroy(session);
  }
  ced_package_release(package); /* the session keeps what it needs */
  test_steps(session);
  ced_session_destroy(session);
  printf("capi: %s\n", failures ? "FAILED" : "passed");
  return failures != 0;
}
