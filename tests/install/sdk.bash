#!/usr/bin/env bash
# What an author of plugins gets from an installation, where it was made and after it was moved: Make, Meson and CMake find the interface;
# every template of `tune-gemm new`, as generated, builds and keeps the whole contract, and with a fault does not.
# sdk.bash BUILD_FOLDER SOURCE_FOLDER PREFIX
set -uo pipefail
build=$1 source=$2 prefix=$3
here=$(mktemp -d)
DESTDIR=$here/stage meson install -C "$build" --no-rebuild --quiet || exit 1
root=$here/stage$prefix
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} # the tests have a home of their own
source "$source/tests/cli/expect.bash" "$root/bin/tune-gemm" ""
trap 'rm -rf "$work" "$here"' EXIT
unset TUNE_GEMM_WORKER
export PKG_CONFIG_PATH CMAKE_PREFIX_PATH

use() { # ROOT: an installation
    root=$1 tune_gemm=$1/bin/tune-gemm CMAKE_PREFIX_PATH=$1
    PKG_CONFIG_PATH=$(dirname "$(find "$root" -name tune_gemm.pc)")
}

consumers() { # FOLDER: one plugin, by each build system that is there
    local folder=$1
    mkdir "$folder" "$folder/cmake" "$folder/meson"
    expect "a project for Make in $folder" 0 'make check' "$tune_gemm" new mine --out "$folder/make"
    cp "$folder/make/mine.cpp" "$folder/cmake/mine.cpp"
    cp "$folder/make/mine.cpp" "$folder/meson/mine.cpp"
    cat >"$folder/cmake/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.18)
project(mine CXX)
find_package(tune_gemm 0.1 REQUIRED)
tune_gemm_add_plugin(mine mine.cpp)
C
    cat >"$folder/meson/meson.build" <<'M'
project('mine', 'cpp', default_options: ['cpp_std=c++20', 'optimization=2'])
sdk = dependency('tune_gemm', version: '>=0.1')
shared_module('mine', 'mine.cpp', name_prefix: '', dependencies: sdk,
  cpp_args: ['-ffp-contract=off', '-fvisibility=hidden'],
  link_args: ['-Wl,--version-script=' + sdk.get_variable('version_script'), '-Wl,-z,now'])
M
    check "Make builds a plugin in $folder" make -s -C "$folder/make"
    check "Meson finds the dependency in $folder" meson setup "$folder/meson/build" "$folder/meson"
    check "and builds a plugin" ninja -C "$folder/meson/build"
    mv "$folder/make/mine.so" "$folder/make.so"
    mv "$folder/meson/build/mine.so" "$folder/meson.so"
    if command -v cmake >/dev/null; then
        check "CMake finds the package in $folder" cmake -S "$folder/cmake" -B "$folder/cmake/build" -DCMAKE_BUILD_TYPE=Release
        check "and builds a plugin" cmake --build "$folder/cmake/build"
        mv "$folder/cmake/build/mine.so" "$folder/cmake.so"
    else
        skip "the CMake package: cmake is not there"
    fi
    for plugin in "$folder"/*.so; do
        expect "$plugin is what it should be" 0 ' 0 failed' "$tune_gemm" check "./$plugin" --only library --only metadata --only result
    done
}

use "$root"
consumers staged
mkdir "$here/moved" && mv "$root" "$here/moved/root" && rm -rf "$here/stage" || exit 1
use "$here/moved/root"
consumers moved
check "the man page is installed" test -s "$root/share/man/man1/tune-gemm.1"

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
    # In sequential order with two roundings result.* and run compare bits with the reference: those of the scalar kernel.
    if [ "$kind $dtype" = "gemm f32" ]; then # what depends on the type; the rest takes long, and is the same source for f64
        expect "$name keeps the contract" 0 ' 0 failed' "$tune_gemm" check "$name/$name.so" --only metadata --only result --only tail
    else
        expect "$name keeps the contract" 0 ' 0 failed' make -s -C "$name" check
    fi
    expect "$name has the bits of the reference" 0 'equal bit for bit' \
        "$tune_gemm" run --shape 67x45x83 --samples 0 --kernel "$name" --plugin-path "$name/$name.so"
}
for language in c++ c rust fortran asm; do
    for dtype in f64 f32; do
        project $language tile $dtype
        project $language gemm $dtype
    done
done

# What cannot be made is said, and nothing is written.
expect "no such language" 2 '"pascal" has no template' "$tune_gemm" new nothing --lang pascal
expect "no name" 2 '"Not-a-name" is no name' "$tune_gemm" new Not-a-name
check "nothing was written" test ! -e nothing -a ! -e Not-a-name
expect "a folder that is in use" 2 'c_tile_f64 is there already' "$tune_gemm" new c_tile_f64 --lang c
expect "the folder is left as it is" 0 '' test -s c_tile_f64/c_tile_f64.so

# A fault in each template: summed from the end, or rounded once too often, which the bits of the reference show.
wrong() { # LANGUAGE SED_SCRIPT
    local name=${1//+/p}_tile_f64
    [ -s "$name/$name.so" ] || return 0 # its compiler is not there
    make -s -C "$name" clean
    sed -i -E "$2" "$name/$name".*
    check "$name with a fault builds" make -s -C "$name"
    expect "and breaks the contract" 1 '^fail result\.' "$tune_gemm" check "$name/$name.so" --only result
    expect "and has not the bits of the reference" 1 'WRONG' \
        "$tune_gemm" run --shape 67x45x83 --samples 0 --kernel "$name" --plugin-path "$name/$name.so"
}
wrong c++ 's/l = 0; l < tile.k\(\); \+\+l/l = tile.k() - 1; l >= 0; --l/'
wrong c 's/l = 0; l < args->k; \+\+l/l = args->k - 1; l >= 0; --l/'
wrong rust 's/l in 0\.\.args\.k/l in (0..args.k).rev()/'
wrong fortran 's/l = 0, args%k - 1/l = args%k - 1, 0, -1/'
wrong asm 's/^ *mulsd .*/&\ncvtsd2ss %xmm1, %xmm1\ncvtss2sd %xmm1, %xmm1/'
finish
