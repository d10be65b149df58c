/*===- ced.h - running a compiled model from C ------------------------------------------------------===//
 *
 * Three nouns: a package (what was compiled), a session (the package on a device, with its weights and
 * caches), a step (rows in, logits out).
 *
 *   ced_package *package;
 *   ced_session *session;
 *   ced_session_options options;
 *   ced_status *status = ced_package_open(path, path_length, &package);
 *   if (status) { ...ced_status_message(status)...; ced_status_destroy(status); }
 *   ced_session_options_init(&options);
 *   options.model_dir = ..., options.model_dir_length = ...;
 *   status = ced_session_create(package, &options, &session);
 *   ced_package_release(package);          the session keeps what it needs
 *   status = ced_session_step(session, &rows, CED_PREFILL, logits, logits_size);
 *   ced_session_destroy(session);
 *
 * Status: NULL is success. Otherwise the caller owns it and destroys it; the number is a
 * ced_status_code, the message one line without a full stop; the kind of fault has a number, too. After a failed call nothing was returned
 * through out_* parameters.
 *
 * Threads: a session is used by one thread at a time, different sessions by any. A package is immutable
 * and may be shared. Nothing here is global.
 *
 * Strings are a pointer and a length and need no terminator. Strings that are returned do have one.
 *
 *===----------------------------------------------------------------------------------------------===*/

#ifndef CED_H
#define CED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------------------------------===//
 * Status
 *===----------------------------------------------------------------------------------------------===*/

typedef enum ced_status_code {
  CED_OK = 0,
  CED_INTERNAL = 1,      /* a fault of the runtime or of the machine */
  CED_INVALID_INPUT = 2, /* a file, an option or a value that was given */
} ced_status_code;

typedef struct ced_status ced_status;

/* CED_OK for NULL. */
ced_status_code ced_status_code_of(const ced_status *status);
/* 3004 for what programs print as CED3004; runtime/base/Errors.md lists them. 0 for NULL. */
int ced_status_number(const ced_status *status);
/* Lives as long as the status; "" for NULL. */
const char *ced_status_message(const ced_status *status);
/* NULL does nothing. */
void ced_status_destroy(ced_status *status);

/*===----------------------------------------------------------------------------------------------===//
 * Package
 *===----------------------------------------------------------------------------------------------===*/

typedef struct ced_package ced_package;

/* Sizes of the model and limits of the package. */
typedef struct ced_model_facts {
  int64_t vocab;
  int64_t hidden;
  int64_t layers;
  int64_t max_rows;    /* rows of one step */
  int64_t max_context; /* tokens of one sequence */
  int64_t max_batch;   /* sequence slots */
  int64_t max_decode_rows; /* rows of one sequence in a decode step */
} ced_model_facts;

/* Opens and checks a package file. The caller owns it and releases it. */
ced_status *ced_package_open(const char *path, size_t path_length, ced_package **out_package);
void ced_package_facts(const ced_package *package, ced_model_facts *out_facts);
/* Sessions that were made from it stay usable. NULL does nothing. */
void ced_package_release(ced_package *package);

/*===----------------------------------------------------------------------------------------------===//
 * Session
 *===----------------------------------------------------------------------------------------------===*/

typedef struct ced_session ced_session;

typedef struct ced_session_options {
  const char *model_dir; /* the checkpoint, or a file that `ced-run --pack` made of it: required */
  size_t model_dir_length;
  const char *device; /* "cpu", "cpu:avx2" (that level and no other), "cuda:0", "null"; default "cpu" */
  size_t device_length;
  int32_t threads;        /* cpu; 0, the default: all processors */
  bool poison;            /* fill scratch with NaN bytes before each step */
  bool pages_from_top;    /* hand out cache pages from the last one down */
  bool check_each_kernel; /* wait after each kernel, so that a fault names it */
} ced_session_options;

void ced_session_options_init(ced_session_options *options);

/* Checks the device, the memory and every weight, then loads. Strings of the options are not kept. */
ced_status *ced_session_create(const ced_package *package, const ced_session_options *options,
                               ced_session **out_session);
/* NULL does nothing. */
void ced_session_destroy(ced_session *session);

/* Forgets the sequence of a slot. */
ced_status *ced_session_reset(ced_session *session, int64_t slot);

/*===----------------------------------------------------------------------------------------------===//
 * Step
 *===----------------------------------------------------------------------------------------------===*/

/* Rows of a step: arrays of `count` values. Rows of one sequence lie together, positions ascending by
 * one. A sequence continues where its slot ended, or begins at 0. */
typedef struct ced_rows {
  int64_t count;
  const int32_t *tokens;
  const int32_t *kinds;     /* 0 text, 1 image span; NULL: all text */
  const int32_t *positions; /* -1: a padding row */
  const int32_t *slots;
} ced_rows;

typedef enum ced_program { CED_PREFILL = 0, CED_DECODE = 1 } ced_program;

typedef enum ced_type {
  CED_F32 = 0,
  CED_BF16 = 1,
  CED_I32 = 2,
  CED_I64 = 3,
  CED_BYTES = 4,
} ced_type;

/* A named value at a place in the program. Valid during the callback only. */
typedef struct ced_mark {
  const char *name; /* e.g. "stream" */
  size_t name_length;
  int64_t layer; /* -1: of no layer */
  ced_type type;
  const int64_t *shape;
  size_t rank;
  void *data; /* may be read, and written to replace the value */
} ced_mark;

/* Called on the thread that steps, for every mark of the program. It must not use the session. */
typedef void (*ced_observer)(void *context, const ced_mark *mark);

/* Runs a step. `logits` receives rows.count x vocab floats; `logits_size` counts floats. After a
 * failure that is CED_INVALID_INPUT nothing was changed. */
ced_status *ced_session_step(ced_session *session, const ced_rows *rows, ced_program program,
                             float *logits, size_t logits_size);
ced_status *ced_session_step_observed(ced_session *session, const ced_rows *rows,
                                      ced_program program, float *logits, size_t logits_size,
                                      ced_observer observer, void *context);

#ifdef __cplusplus
}
#endif

#endif
