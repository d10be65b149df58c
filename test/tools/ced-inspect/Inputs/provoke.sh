# provoke.sh - a command for each numbered error. $W is an empty folder of the test, prepared by the first that comes.
inputs=$SOURCE/test/runtime/Inputs
tiny=$GOLDEN/tiny-six-role
fake="env LD_LIBRARY_PATH=$W/driver"

pack() { ced-test-pack $inputs/toy.json $W/toy.so "$@"; }
packCuda() { pack "$@" '/objects/0/target="nvptx"' '/objects/0/chip="sm_90a"'; }
threads="/kernels/0/threads=32 /kernels/1/threads=32 /kernels/2/threads=32"
edit() { mkdir -p $W/edited && ced-test-edit $W/model/model.safetensors $W/edited/model.safetensors "$@"; }
ran() { ced-run $1 --weights $W/model --tokens 1 --max-new 1 "${@:2}"; }
byte() { cp $W/toy.ced $W/bad.ced && printf "$2" | dd of=$W/bad.ced bs=1 seek=$1 conv=notrunc 2> $W/dd && ran $W/bad.ced; }
config() { sed "$1" $tiny/config.json > $W/config.json; }

prepare() {
  mkdir -p $W/model $W/driver
  $CC -O1 -ffp-contract=off -fPIC -shared -nostdlib $inputs/toy.c -o $W/toy.so
  $CC -O1 -fPIC -shared $inputs/fake-cuda.c -o $W/driver/libcuda.so.1
  ced-test-edit new $W/model/model.safetensors embed=16,4 head.0=8,4 head.1=8,4
  packCuda $W/cuda.ced $threads
  pack $W/toy.ced
}
test -z "$W" -o -e "$W/toy.ced" || prepare

# Import
ced1001() { ced-run $W/toy.ced --weights $W/nowhere --tokens 1; }
ced1002() { echo '{' > $W/x.json; ced-inspect table $W/x.json; }
ced1003() { config 's/"hidden_size": 256/"hidden_size": 100/'; ced-inspect table $W/config.json; }
ced1010() { mkdir -p $W/edited && echo 'no such format' > $W/edited/model.safetensors; ced-run $W/toy.ced --weights $W/edited --tokens 1; }
ced1011() { mkdir -p $W/edited && head -c -4 $W/model/model.safetensors > $W/edited/model.safetensors; ced-run $W/toy.ced --weights $W/edited --tokens 1; }
ced1012() { mkdir -p $W/index && echo '{}' > $W/index/model.safetensors.index.json; ced-run $W/toy.ced --weights $W/index --tokens 1; }
ced1013() { mkdir -p $W/index && echo '{"weight_map": {"a": "b"}}' > $W/index/model.safetensors.index.json; ced-run $W/toy.ced --weights $W/index --tokens 1; }
ced1015() { edit drop:head.1; ced-run $W/toy.ced --weights $W/edited --tokens 1; }
ced1016() { edit dtype:head.1=I32; ced-run $W/toy.ced --weights $W/edited --tokens 1; }
ced1017() { edit shape:embed=8,8; ced-run $W/toy.ced --weights $W/edited --tokens 1; }
ced1018() { mkdir -p $W/unfit && cp $tiny/config.json $tiny/engram_token_map.safetensors $W/model/model.safetensors $W/unfit; ced-compile $W/unfit -o $W/none.ced; }
ced1019() { pack $W/bad.ced '/buffers/4/tensors/0="side.safetensors:embed"'; ran $W/bad.ced; }
ced1020() { ced-compile $tiny/config.json --engram-rows 10 -o $W/none.ced; }
ced1021() { echo '{"model": "x", "caches": {}, "modes": {"m": ["a"]}, "layers": ["m"]}' > $W/x.layers.json; ced-inspect kv $W/x.layers.json; }

# Plan
ced2001() { ced-compile $tiny -o $W/none.ced --max-rows=4294967296; }
ced2002() { ced-compile $tiny -o $W/none.ced --target riscv; }
ced2003() { ced-compile --from=tile $W/nothing.mlir -o $W/none.ced; }
ced2004() {
  ced-compile $tiny/config.json --max-batch 2 --max-context 64 --to=schedule -o $W/schedule.mlir
  ced-compile $tiny/config.json --max-batch 2 --max-context 128 --schedule $W/schedule.mlir -o $W/none.ced
}
ced2005() { config 's/"o_lora_rank": 64/"o_lora_rank": 16/'; ced-compile $W/config.json --schedule fused -o $W/none.ced; }
contract() { # <file>: a schedule whose contract says fewer kernels than there are
  ced-compile $tiny/config.json --max-batch 2 --max-context 64 --schedule paper --to=$2 -o - | sed 's/reuse = \["hc_mix", "linear", "rms_norm"/reuse = ["hc_mix", "rms_norm"/' > $1
}
ced2011() { contract $W/contract.mlir fuse; ced-compile --from=schedule $W/contract.mlir -o $W/none.ced; }
ced2013() { contract $W/contract.mlir schedule; ced-compile --from=tile $W/contract.mlir -o $W/none.ced; }
ced2014() { python3 $SOURCE/test/Inputs/file_limit.py 100 ced-compile --from=target --to=target $SOURCE/test/tools/ced-compile/Inputs/nothing.mlir -o $W/none.mlir; }
ced2015() { echo 'sched.object @o "x86" "avx2" {} ""' > $W/object.mlir; ced-compile --from=package $W/object.mlir -o $W/none.ced; }
ced2020() { CEDILLA_PTXAS=$W/none ced-compile $tiny/config.json --target nvptx -o $W/none.ced; }

# Package
ced3001() { ran $W/toy.so; }
ced3002() { byte 8 '\x7f'; }
ced3003() { head -c -1 $W/toy.ced > $W/bad.ced; ran $W/bad.ced; }
ced3004() { byte 4096 '\x7f'; }
ced3005() { byte 12 '\x02'; }
ced3006() { pack $W/none.ced /buffers/9/offset=576; }
ced3007() { mkdir -p $W/other && cp $W/model/model.safetensors $W/other && echo '{}' > $W/other/config.json; pack $W/bad.ced '/sources=[{"name": "config.json", "digest": "0123456789abcdef"}]'; ced-run $W/bad.ced --weights $W/other --tokens 1; }
ced3008() { pack $W/bad.ced '/programs/1/name="verify"'; ced-run $W/bad.ced --weights $W/model --tokens 1 --max-new 2; }
ced3009() { ran $W/cuda.ced; }
ced3011() { ced-inspect verify $W/toy.ced --sha256 00; }
ced3012() { ced-run $W/toy.ced --weights $W/model/model.safetensors --tokens 1; }
ced3013() {
  mkdir -p $W/changing && cp $W/model/model.safetensors $W/changing
  ced-run $W/toy.ced --weights $W/changing --pack $W/packed.safetensors && touch -d 2001-01-01 $W/changing/model.safetensors
  ced-run $W/toy.ced --weights $W/packed.safetensors --tokens 1
}
ced3010() { ced-bench $W/toy.ced; }

# Device
ced4001() { ran $W/toy.ced --device tpu; }
ced4002() { FAKE_CUDA_DEVICES=0 $fake ced-run $W/cuda.ced --weights $W/model --tokens 1 --device cuda; }
ced4003() { $fake ced-run $W/cuda.ced --weights $W/model --tokens 1 --device cuda:7; }
ced4004() { pack $W/bad.ced '/objects/0/chip="riscv"'; ran $W/bad.ced; }
ced4005() { FAKE_CUDA_CAPABILITY=80 $fake ced-run $W/cuda.ced --weights $W/model --tokens 1 --device cuda; }
ced4006() { FAKE_CUDA_FREE=100 $fake ced-run $W/cuda.ced --weights $W/model --tokens 1 --device cuda; }
ced4007() { pack $W/bad.ced '/kernels/2/symbol="toy_tail"'; ran $W/bad.ced; }
ced4008() { packCuda $W/bad.ced $threads /kernels/0/sharedBytes=4096; $fake ced-run $W/bad.ced --weights $W/model --tokens 1 --device cuda; }
ced4009() { ran $W/toy.ced --engram host-gather; }
ced4010() { FAKE_CUDA_FAULT=toy_mix $fake ced-run $W/cuda.ced --weights $W/model --tokens 1 --device cuda; }

# Run
ced5001() { ced-run $W/toy.ced --token 1; }
ced5002() { ced-run $W/toy.ced --weights $W/model --tokens-file $W/no-such-file; }
ced5003() { ced-run --help > /dev/full; }
ced5004() { cp "$(command -v ced-run)" $W/alone && $W/alone --reference $W/model --tokens 1; }
ced5010() { ced-test-capi $W/toy.ced $W/model 50; }
ced5011() { ced-run $W/toy.ced --weights $W/model --tokens 1,2 --max-new 39; }
ced5012() { pack $W/bad.ced '/kernels/2/symbol="toy_head_dirty"'; CEDILLA_POISON=1 ran $W/bad.ced; }
ced5013() {
  sed 's/scratch\[v\] = 0;/static int call; scratch[v] = call++ * 7 % 11 * 1000;/' $inputs/toy.c > $W/varies.c
  $CC -O1 -ffp-contract=off -fPIC -shared -nostdlib $W/varies.c -o $W/varies.so
  ced-test-pack $inputs/toy.json $W/varies.so $W/bad.ced
  ran $W/bad.ced --repeat 2
}
ced5014() { ced-run $W/toy.ced --weights $W/model --check-golden $W/model; }
ced5015() { pack $W/bad.ced '/programs/0/steps/1/name="other"'; ced-run $W/toy.ced --weights $W/model --tokens 1 --twin $W/bad.ced; }
ced5016() { pack $W/bad.ced '/buffers/4/dtype="BOOL"' '/buffers/4/type="i8"' '/buffers/4/bytes=64'; ced-run $W/bad.ced --synthetic-weights 1 --tokens 1; }
ced5017() {
  sed '0,/bias = buffers\[2\];/s//bias = buffers[2]; ((int *)buffers[0])[0] = 2;/' $inputs/toy.c > $W/writes.c
  $CC -O1 -ffp-contract=off -fPIC -shared -nostdlib $W/writes.c -o $W/writes.so
  ced-test-pack $inputs/toy.json $W/writes.so $W/bad.ced
  ran $W/bad.ced --check
}
ced5020() { ced-compile $tiny/config.json --to=import -o - | sed 's/@decode/@other/' > $W/graph.mlir; CEDILLA_REFERENCE_IR=$W/graph.mlir ced-reference --reference $tiny --tokens 1; }
ced5090() { config 's/"vocab_size": 512/"vocab_size": 500000/'; python3 $SOURCE/test/Inputs/limited.py 60 100 ced-make-checkpoint $W/config.json -o $W/large; }
# A fault of ours that a command of a tool provoked would be mended: a program that does nothing but have one.
ced5099() {
  echo '#include "runtime/base/Program.h"
    int main() { return cedilla::runProgram([]() -> int { throw std::logic_error("one"); }); }' > $W/fault.cpp
  $CC -std=c++20 -I$SOURCE $W/fault.cpp -lstdc++ -o $W/fault && $W/fault
}
