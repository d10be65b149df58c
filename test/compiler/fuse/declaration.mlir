// A function without a body has nothing to fuse, and none of the passes on functions minds it.
// RUN: ced-opt --ced-form-groups --ced-fuse-siblings --ced-fuse-router --ced-fuse-experts --ced-fuse-attention --ced-fuse-glue --ced-fuse-ends %s | FileCheck %s

// CHECK: func.func private @nothing()
func.func private @nothing()
