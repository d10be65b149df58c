//===- Families.cpp - the list of kernel families -----------------------------------------------------===//
//
// To add a family: a folder, a class, and one line in each of the two lists below.
//
//===------------------------------------------------------------------------------------------===//

#include "kernels-gen/attention/Attention.h"
#include "kernels-gen/cache/Cache.h"
#include "kernels-gen/common/Family.h"
#include "kernels-gen/compress/Compress.h"
#include "kernels-gen/embed/Embed.h"
#include "kernels-gen/engram/Engram.h"
#include "kernels-gen/experts/Experts.h"
#include "kernels-gen/gather/Gather.h"
#include "kernels-gen/index_scores/IndexScores.h"
#include "kernels-gen/linear/Linear.h"
#include "kernels-gen/mix/Mix.h"
#include "kernels-gen/norm_cast/NormCast.h"
#include "kernels-gen/rope/Rope.h"
#include "kernels-gen/route/Route.h"
#include "kernels-gen/sample/Sample.h"
#include "kernels-gen/select/Select.h"

using namespace cedilla;

llvm::ArrayRef<const Family *> cedilla::families() {
  static const LinearFamily linear;
  static const NormCastFamily normCast;
  static const MixFamily mix;
  static const RopeFamily rope;
  static const CacheFamily cache;
  static const EmbedFamily embed;
  static const EngramFamily engram;
  static const AttentionFamily attention;
  static const CompressFamily compress;
  static const IndexScoresFamily indexScores;
  static const SelectFamily select;
  static const RouteFamily route;
  static const ExpertsFamily experts;
  static const SampleFamily sample;
  static const GatherFamily gather;
  static const Family *const list[] = {&linear,    &normCast, &mix,         &rope,   &cache, &embed,  &engram,
                                       &attention, &compress, &indexScores, &select, &route, &experts, &sample,
                                       &gather};
  return list;
}

const Family *cedilla::findFamily(llvm::StringRef name) {
  for (const Family *family : families())
    if (family->name() == name)
      return family;
  return nullptr;
}
