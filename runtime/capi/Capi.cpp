//===- Capi.cpp - ced.h over the C++ runtime --------------------------------------------------------===//
//
// Every function that can fail turns exceptions into a status here; none crosses the boundary.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/include/ced.h"

#include "runtime/base/Program.h"
#include "runtime/session/PackageEngine.h"

#include <new>

using namespace cedilla;

struct ced_status {
  ced_status_code code;
  int number;
  std::string message;
};

struct ced_package {
  std::shared_ptr<const Package> package;
};

struct ced_session {
  PackageEngine engine;
};

//===------------------------------------------------------------------------------------------===//
// Status
//===------------------------------------------------------------------------------------------===//

/// Runs `body`; what it throws becomes a status.
template <typename Body>
static ced_status *guarded(Body body) {
  try {
    body();
    return nullptr;
  } catch (...) {
    Error error = currentError();
    return new ced_status{static_cast<ced_status_code>(error.status()), static_cast<int>(error.number()), error.what()};
  }
}

static void require(const void *pointer, const char *name) {
  if (!pointer)
    fail(Err::Option, "argument '", name, "': expected a pointer, got NULL");
}

ced_status_code ced_status_code_of(const ced_status *status) {
  return status ? status->code : CED_OK;
}
int ced_status_number(const ced_status *status) { return status ? status->number : 0; }
const char *ced_status_message(const ced_status *status) {
  return status ? status->message.c_str() : "";
}
void ced_status_destroy(ced_status *status) { delete status; }

//===------------------------------------------------------------------------------------------===//
// Package
//===------------------------------------------------------------------------------------------===//

ced_status *ced_package_open(const char *path, size_t path_length, ced_package **out_package) {
  return guarded([&] {
    require(path, "path"), require(out_package, "out_package");
    auto package = std::make_shared<const Package>(std::string(path, path_length));
    *out_package = new ced_package{std::move(package)};
  });
}

void ced_package_facts(const ced_package *package, ced_model_facts *out_facts) {
  const ModelFacts &facts = package->package->manifest().facts;
  *out_facts = {facts.vocab,   facts.hidden,     static_cast<int64_t>(facts.layers.size()),
                facts.maxRows, facts.maxContext, facts.maxBatch,
                facts.slack + 1};
}

void ced_package_release(ced_package *package) { delete package; }

//===------------------------------------------------------------------------------------------===//
// Session
//===------------------------------------------------------------------------------------------===//

void ced_session_options_init(ced_session_options *options) {
  *options = {nullptr, 0, "cpu", 3, 0, false, false, false};
}

ced_status *ced_session_create(const ced_package *package, const ced_session_options *options,
                               ced_session **out_session) {
  return guarded([&] {
    require(package, "package"), require(options, "options"), require(out_session, "out_session");
    require(options->model_dir, "model_dir"), require(options->device, "device");
    DeviceOptions deviceOptions;
    deviceOptions.threads = options->threads;
    deviceOptions.poison = options->poison;
    Device device = openDevice({options->device, options->device_length}, deviceOptions);
    EngineOptions engineOptions;
    engineOptions.poison = options->poison;
    engineOptions.pagesFromTop = options->pages_from_top;
    engineOptions.checkEachKernel = options->check_each_kernel;
    *out_session = new ced_session{
        PackageEngine(package->package, std::move(device),
                      std::string(options->model_dir, options->model_dir_length), engineOptions)};
  });
}

void ced_session_destroy(ced_session *session) { delete session; }

ced_status *ced_session_reset(ced_session *session, int64_t slot) {
  return guarded([&] {
    require(session, "session");
    session->engine.resetSlot(slot);
  });
}

//===------------------------------------------------------------------------------------------===//
// Step
//===------------------------------------------------------------------------------------------===//

/// Adds what a caller need not say: kinds, and the position at which each sequence's rows start.
static StepRows copyRows(const ced_rows &rows) {
  require(rows.tokens, "rows.tokens"), require(rows.positions, "rows.positions");
  require(rows.slots, "rows.slots");
  StepRows result;
  int32_t start = 0;
  for (int64_t i = 0; i < rows.count; ++i) {
    bool begins = i == 0 || rows.slots[i] != rows.slots[i - 1] || rows.positions[i - 1] == -1;
    start = begins ? rows.positions[i] : start;
    result.append(rows.tokens[i], rows.kinds ? rows.kinds[i] : 0, rows.positions[i], rows.slots[i],
                  start);
  }
  return result;
}

static ced_type typeOf(DType type) {
  static constexpr ced_type types[] = {CED_F32, CED_BF16, CED_I32, CED_I64, CED_BYTES};
  return types[static_cast<int>(type)];
}

ced_status *ced_session_step_observed(ced_session *session, const ced_rows *rows,
                                      ced_program program, float *logits, size_t logits_size,
                                      ced_observer observer, void *context) {
  return guarded([&] {
    require(session, "session"), require(rows, "rows"), require(logits, "logits");
    Observer forward;
    if (observer)
      forward = [&](const MarkView &view) {
        ced_mark mark = {view.name.data(),   view.name.size(),  view.layer, typeOf(view.type),
                         view.shape.data(), view.shape.size(), view.data};
        observer(context, &mark);
      };
    session->engine.step(copyRows(*rows), program == CED_DECODE, {logits, logits_size}, forward);
  });
}

ced_status *ced_session_step(ced_session *session, const ced_rows *rows, ced_program program,
                             float *logits, size_t logits_size) {
  return ced_session_step_observed(session, rows, program, logits, logits_size, nullptr, nullptr);
}
