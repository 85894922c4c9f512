#!/usr/bin/env bash
# What an author of plugins gets, from an installation that was moved after it was made: every template of `tune-gemm new`, as generated,
# builds and keeps the whole contract; Make, Meson and CMake find the interface. sdk.bash BUILD_FOLDER SOURCE_FOLDER PREFIX
set -uo pipefail
build=$1 source=$2 prefix=$3
here=$(mktemp -d)
DESTDIR=$here/stage meson install -C "$build" --no-rebuild --quiet || exit 1
mkdir -p "$here/moved" && mv "$here/stage$prefix" "$here/moved/root" && rm -rf "$here/stage" || exit 1
root=$here/moved/root
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} # the tests have a home of their own
source "$source/tests/cli/expect.bash" "$root/bin/tune-gemm" ""
trap 'rm -rf "$work" "$here"' EXIT
unset TUNE_GEMM_WORKER
PKG_CONFIG_PATH=$(dirname "$(find "$root" -name tune_gemm.pc)")
CMAKE_PREFIX_PATH=$root
export PKG_CONFIG_PATH CMAKE_PREFIX_PATH

compiler_of() {
    case $1 in
        c++) echo c++ ;;
        c | asm) echo cc ;;
        rust) echo rustc ;;
        fortran) echo gfortran ;;
    esac
}

project() { # LANGUAGE KIND DTYPE: makes it, builds it, checks it
    local language=$1 kind=$2 dtype=$3 compiler name
    compiler=$(compiler_of "$language")
    name=${language//+/p}_${kind}_$dtype
    if ! "$compiler" --version >/dev/null 2>&1; then
        skip "the $language template: $compiler is not there"
        return
    fi
    if [ "$language" = asm ] && [ "$(uname -m)" != x86_64 ]; then
        skip "the asm template is for x86-64, this is $(uname -m)"
        return
    fi
    expect "new --lang $language --kind $kind --dtype $dtype" 0 'make check' \
        "$tune_gemm" new "$name" --lang "$language" --kind "$kind" --dtype "$dtype"
    check "$name has nothing left to fill in but names and the license" \
        bash -c '! grep -rE "@[a-z_]+@" "$1"' _ "$name"
    check "$name builds without a warning" bash -c 'make -s -C "$1" 2>&1 | tee "$1/warnings" && [ ! -s "$1/warnings" ]' _ "$name"
    # In sequential order with two roundings the checks compare bits with the reference: the scalar kernel's.
    expect "$name keeps the contract" 0 ' 0 failed' make -s -C "$name" check
    expect "$name has the bits of the reference" 0 'sequential two-roundings' \
        "$tune_gemm" run --shape 67x45x83 --samples 0 --kernel "$name" --plugin-path "$name/$name.so"
}
for language in c++ c rust fortran asm; do
    for dtype in f64 f32; do
        project $language tile $dtype
    done
done
project c++ gemm f64
project c gemm f32

# What cannot be made is said, and nothing is written.
expect "no template of that kind" 2 'no template of kind gemm for rust' "$tune_gemm" new nothing --lang rust --kind gemm
expect "no such language" 2 '"pascal" has no template' "$tune_gemm" new nothing --lang pascal
expect "no name" 2 '"Not-a-name" is no name' "$tune_gemm" new Not-a-name
check "nothing was written" test ! -e nothing -a ! -e Not-a-name
expect "a folder that is in use" 2 'c_tile_f64 is there already' "$tune_gemm" new c_tile_f64 --lang c
expect "the folder is left as it is" 0 '' test -s c_tile_f64/c_tile_f64.so

# The same sources with the other two build systems.
mkdir cmake meson
cp cpp_tile_f64/cpp_tile_f64.cpp cmake/mine.cpp
cp cpp_tile_f64/cpp_tile_f64.cpp meson/mine.cpp
cat >cmake/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.18)
project(mine CXX)
find_package(tune_gemm 0.1 REQUIRED)
tune_gemm_add_plugin(mine mine.cpp)
C
cat >meson/meson.build <<'M'
project('mine', 'cpp', default_options: ['cpp_std=c++20', 'optimization=2'])
sdk = dependency('tune_gemm', version: '>=0.1')
shared_module('mine', 'mine.cpp', name_prefix: '', dependencies: sdk,
  cpp_args: ['-ffp-contract=off', '-fvisibility=hidden'],
  link_args: ['-Wl,--version-script=' + sdk.get_variable('version_script'), '-Wl,-z,now'])
M
if command -v cmake >/dev/null; then
    check "CMake finds the package" cmake -S cmake -B cmake/build -DCMAKE_BUILD_TYPE=Release
    check "and builds a plugin" cmake --build cmake/build
    expect "which keeps the contract" 0 ' 0 failed' "$tune_gemm" check ./cmake/build/mine.so
else
    skip "the CMake package: cmake is not there"
fi
check "Meson finds the dependency" meson setup meson/build meson
check "and builds a plugin" ninja -C meson/build
expect "which keeps the contract" 0 ' 0 failed' "$tune_gemm" check ./meson/build/mine.so
finish
