#!/usr/bin/env bash
# Each public header compiles alone, without a warning: abi.h as C11, C17 and C++20, the others as C++20, with every
# compiler that is here. The files beside this one use what the headers offer.
set -u
here=$(dirname "$(realpath "$0")") include=$1
shift # what is left: compiler arguments for the libraries that core's headers include
passed=0 failed=0
strict=(-Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only)

compiles() { # NAME COMPILER... SOURCE
    local name=$1 messages
    shift
    if messages=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: %s\n%s\n' "$name" "$*" "$messages"
    fi
}

for compilers in "gcc g++" "clang clang++"; do
    read -r c cpp <<<"$compilers"
    if ! command -v "$c" >/dev/null || ! command -v "$cpp" >/dev/null; then
        passed=$((passed + 1)) # scripts/count_tests.py takes it from there
        printf 'SKIPPED: %s or %s is not here\n' "$c" "$cpp"
        continue
    fi
    for std in c11 c17; do
        compiles "abi.h, $std, $c" "$c" -std=$std "${strict[@]}" -I"$include" "$here/abi_alone.c"
    done
    for source in "$here"/*.cpp; do
        compiles "$(basename "$source"), $cpp" "$cpp" -std=c++20 "${strict[@]}" -I"$include" "$source"
    done
    for header in "$include"/tune_gemm/*.h "$include"/tune_gemm/*.hpp; do
        name=tune_gemm/$(basename "$header")
        compiles "$name, $cpp" "$cpp" -std=c++20 "${strict[@]}" -I"$include" "$@" -x c++ - <<<"#include <$name>"
    done
done
printf 'test cases: %d | %d passed | %d failed\n' $((passed + failed)) "$passed" "$failed"
[ "$failed" -eq 0 ]
