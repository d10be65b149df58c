//===- RecordingsTest.cpp - which steps are recorded and which recording goes ----------------------===//

#include "runtime/session/StepRecordings.h"
#include "test/runtime/Expect.h"

namespace cedilla::test {

namespace {
struct Counts {
  int made = 0, forgotten = 0;
} counts;
} // namespace

static void *record(void *, const std::function<void()> &work) {
  work();
  return new int(++counts.made);
}
static void forget(void *, void *recording) {
  ++counts.forgotten;
  delete static_cast<int *>(recording);
}

/// The null device, with recordings that are numbers.
static DeviceTable countingTable() {
  DeviceTable table = nullDevice;
  table.record = record;
  table.forget = forget;
  return table;
}

void testRecordings() {
  DeviceTable table = countingTable();
  Device device(table, {});
  counts = {};
  {
    StepRecordings recordings(device, 2);
    auto nothing = [] {};
    void *one = recordings.get(StepKind::Decode, 1, nothing);
    EXPECT(recordings.get(StepKind::Decode, 1, nothing) == one);
    void *prefill = recordings.get(StepKind::Prefill, 1, nothing); // another program
    EXPECT(prefill != one && counts.made == 2);
    void *ahead = StepRecordings(device).get(StepKind::DecodeAhead, 1, nothing);
    EXPECT(ahead && counts.made == 3 && counts.forgotten == 1);
    counts = {2, 0};
    recordings.get(StepKind::Decode, 1, nothing); // now the prefill step is the older one
    recordings.get(StepKind::Decode, 2, nothing);
    EXPECT(counts.made == 3 && counts.forgotten == 1 && recordings.size() == 2);
    EXPECT(recordings.get(StepKind::Decode, 1, nothing) == one && counts.made == 3);
    recordings.get(StepKind::Prefill, 1, nothing);
    EXPECT(counts.made == 4);
    // A step that cannot be recorded leaves nothing behind.
    expectFails("no launch", [&] { recordings.get(StepKind::Decode, 9, [] { fail(Err::Unnumbered, "no launch"); }); });
    EXPECT(recordings.size() == 1);
  }
  EXPECT(counts.made == counts.forgotten);
}

} // namespace cedilla::test
