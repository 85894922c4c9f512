#!/usr/bin/env bash
# What a plugin logs when it is loaded is told, as it is today and not as it was at the first contact, and its warnings on standard error
# where it is timed: said.bash PROGRAM SCALAR_PLUGIN TESTS_BUILD_FOLDER SOURCE_FOLDER
source "$(dirname "$0")/expect.bash"
source=$4 build=$(realpath "$3/..")
sed 's/^const tg_plugin/#include <stdio.h>\n#include <stdlib.h>\nstatic tg_status start(const tg_host* host, tg_error* error) {\n    char line[100];\n    (void)error;\n    snprintf(line, sizeof line, "kernels for %s", getenv("CORE") ? getenv("CORE") : "nothing");\n    host->log(line);\n    if (getenv("CORE"))\n        host->log("warning: slow\\x1b[31m today");\n    return TG_OK;\n}\n&/; s/\.kernels = kernels/&, .init = start/' \
    "$source/tests/install/plain.c" >says.c
check "there is a plugin that says something" cc -std=c11 -O2 -ffp-contract=off -fPIC -fvisibility=hidden -shared -I"$source/core/include" \
    -Wl,--version-script="$source/plugins/plugin.map" -Wl,-z,defs -o says.so says.c
this=(--plugin-path ./says.so) product=(--shape 5x5x5 --kernel outside.c3x5)
expect "inspect shows it" 0 '^says +kernels for nothing$' "$tune_gemm" inspect ./says.so
expect "again, as it is now" 0 '^says +kernels for haste$' env CORE=haste "$tune_gemm" inspect ./says.so
expect "inspect --json" 0 '"said": \["kernels for nothing"\]|"kernels for nothing"' "$tune_gemm" inspect ./says.so --json
expect "list" 0 '^  outside_c: kernels for haste$' env CORE=haste "$tune_gemm" list "${this[@]}"
expect "env" 0 '^  plugin +kernels for haste . warning: slow' env CORE=haste "$tune_gemm" env "${this[@]}" --kernel outside.c3x5
expect "env without a plugin" 0 '^  plugin +nothing$' "$tune_gemm" env
expect "run" 0 '^  says +kernels for haste$' env CORE=haste "$tune_gemm" run "${product[@]}" "${this[@]}" --samples 1
expect "with the warning" 0 '^warning: outside_c: slow\?\[31m today$' env CORE=haste "$tune_gemm" run "${product[@]}" "${this[@]}" --samples 1
expect "on standard error" 0 '' bash -c 'CORE=haste "$@" 2>/dev/null | tee out.txt; ! grep -q warning out.txt' _ \
    "$tune_gemm" run "${product[@]}" "${this[@]}" --samples 1
expect "profile" 0 '^warning: outside_c: slow' env CORE=haste "$tune_gemm" profile ./says.so --shape 5x5x5 --seconds 0.02
expect "tune" 0 '^warning: outside_c: slow' env CORE=haste "$tune_gemm" tune "${product[@]}" "${this[@]}" --budget 20 --confirm 1 --out t.json
expect "and in its record" 0 '"plugin": *"kernels for haste . warning: slow' cat t.json
expect "without a warning there is none" 0 '' bash -c '"$@" >out.txt 2>&1; ! grep warning out.txt' _ \
    "$tune_gemm" run "${product[@]}" "${this[@]}" --samples 1

# OpenBLAS takes kernels of long ago where it does not know the processor; the variable makes it do so here.
openblas=$build/plugins/baselines/openblas/openblas.so
if [ ! -e "$openblas" ] || ! grep -qw avx2 /proc/cpuinfo; then
    skip "the core of OpenBLAS: it was not built, or this processor has nothing that an old core lacks"
else
    wide=SkylakeX
    grep -qw avx512f /proc/cpuinfo || wide=Haswell
    expect "an old core is warned of" 0 "^says +warning: it computes with kernels for Nehalem, .* Set OPENBLAS_CORETYPE=$wide before comparing\.$" \
        env OPENBLAS_CORETYPE=Nehalem "$tune_gemm" inspect "$openblas"
    expect "the right one is named" 0 "^says +.*; kernels for $wide$" env OPENBLAS_CORETYPE=$wide "$tune_gemm" inspect "$openblas"
    check "and not warned of" bash -c '! grep -q warning "$0"' "$work/out"
fi
finish
