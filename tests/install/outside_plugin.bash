#!/usr/bin/env bash
# Installs into a staging folder, moves that folder, builds plugins outside the tree with the installed headers alone, drops them
# into a plugin folder, and uses their ids with nothing rebuilt: outside_plugin.bash BUILD_FOLDER SOURCE_FOLDER PREFIX
set -uo pipefail
build=$1 source=$2 prefix=$3
here=$(mktemp -d)
DESTDIR=$here/stage meson install -C "$build" --no-rebuild --quiet || exit 1
mkdir -p "$here/moved" && mv "$here/stage$prefix" "$here/moved/root" && rm -rf "$here/stage" || exit 1
root=$here/moved/root
source "$source/tests/cli/expect.bash" "$root/bin/tune-gemm" ""
trap 'rm -rf "$work" "$here"' EXIT
unset TUNE_GEMM_WORKER
folder=$XDG_DATA_HOME/tune_gemm/plugins
mkdir -p "$folder"
warnings=(-Wall -Wextra -Wpedantic -Werror)
linking=(-shared -fPIC -O2 -ffp-contract=off -fvisibility=hidden -I"$root/include")

expect "the installed program finds the installed plugin" 0 'scalar' "$tune_gemm" list
expect "the id is not there before" 2 'outside' "$tune_gemm" run --shape 5x6x7 --kernel outside.plain4x4
check "a C++ plugin builds with the installed headers alone" \
    c++ -std=c++20 "${warnings[@]}" "${linking[@]}" -o "$folder/outside.so" "$source/tests/install/twice_as_plain.cpp"
check "a C plugin builds with the installed headers alone" \
    cc -std=c11 "${warnings[@]}" "${linking[@]}" -o "$folder/outside_c.so" "$source/tests/install/plain.c"
for kernel in outside.plain4x4 outside.c3x5; do
    expect "$kernel is listed" 0 "$kernel" "$tune_gemm" list
    expect "$kernel multiplies, bit for bit" 0 'f64 sequential two-roundings' "$tune_gemm" run --shape 67x45x83 --kernel $kernel
    expect "$kernel conforms" 0 '' "$tune_gemm" check $kernel
    expect "$kernel is tuned" 0 "$kernel" "$tune_gemm" tune --shape 16x16x16 --kernel $kernel --budget 10 --out tuned.json
done
finish
