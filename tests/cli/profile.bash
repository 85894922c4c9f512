#!/usr/bin/env bash
# tune-gemm profile: what it prints and refuses. No time is judged. profile.bash TUNE_GEMM SCALAR_PLUGIN BUILD_FOLDER
source "$(dirname "$0")/expect.bash" "$1" "$2"
build=$3
scalar=(--plugin-path "$plugins" --allow-unsafe-path)
quick=(--seconds 0.05 --shape 45x37x29)

profile() { # NAME EXIT_CODE PATTERN ARGUMENTS...
    local name=$1 code=$2 pattern=$3
    shift 3
    expect "$name" "$code" "$pattern" "$tune_gemm" profile "$@"
}

profile "a kernel by its id" 0 '^8x8 +[0-9]' scalar "${scalar[@]}" "${quick[@]}"
profile "the next thing is a sentence" 0 '^  8x8 +[A-Z].*\.$' scalar "${scalar[@]}" "${quick[@]}"
profile "a file, one kernel of it" 0 'kernel +scalar_f32, f32 sequential two-roundings' "$plugins" --allow-unsafe-path \
    --kernel scalar_f32 "${quick[@]}"
profile "a tile of one's own choice" 0 '^4x16 ' scalar "${scalar[@]}" "${quick[@]}" --tile 4x16
profile "layouts" 0 '45x37x29, layouts ccr' scalar "${scalar[@]}" "${quick[@]}" --layouts ccr

# The shares are those of one whole.
profile "in JSON" 0 '"shares"' scalar "${scalar[@]}" "${quick[@]}" --tile 8x8 --json
cp "$work/out" json
check "every field is there, and the shares sum to 1" python3 - json <<'P'
import json, sys
found = json.load(open(sys.argv[1]))["kernels"][0]
assert found["kernel"] == "scalar" and not found["whole_gemm"] and len(found["sha256"]) == 64, found
tile = found["tiles"][0]
shares = {name: tile["shares"][name] for name in ("tiles", "edges", "pack_a", "pack_b", "rest")}
assert abs(sum(shares.values()) - 1) < 0.01 and min(shares.values()) >= 0, shares
assert tile["tile"] == "8x8" and tile["alone"]["k"] > 0 and tile["next"].endswith("."), tile
for name in ("alone", "in_driver", "product"):
    # Where other programs take the time of this short run, nothing may be left to the tile: null.
    assert tile[name]["gflops"] is None and shares["tiles"] + shares["edges"] == 0 and name == "in_driver" or tile[name]["gflops"] > 0, tile
if tile["peak"]["gflops"] > 0:
    assert 0 < tile["alone"]["of_peak"] < 2 and tile["peak"]["instructions"], tile
assert 0 <= tile["away"] <= 1
assert set(tile["spread"]) == set(tile["shares"]) and tile["edge_work"] > 0 and set(tile["unsteady"]) <= set(tile["shares"]), tile
P
profile "whole tiles only: there are no edges" 0 '^8x8 .* none ' scalar "${scalar[@]}" --seconds 0.05 --shape 48x32x29
profile "and in JSON 0 of them" 0 '"edges": 0,' scalar "${scalar[@]}" --seconds 0.05 --shape 48x32x29 --json
profile "one call of the tile has no verdict" 0 'The call: the whole product is one call of the tile' scalar "${scalar[@]}" \
    --seconds 0.05 --shape 1x1x1
profile "a free tile by name, and a note that it is one of many" 0 'The tile is free: 8x8 is one size of many' \
    scalar "${scalar[@]}" "${quick[@]}" --tile free
profile "on two threads, too" 0 '^  8x8 +[0-9.]+ GFLOP/s, [0-9.]+ times one thread$' scalar "${scalar[@]}" "${quick[@]}" --threads 2

lasts() { # SECONDS ARGUMENTS...
    local begun
    begun=$(date +%s%N)
    "$tune_gemm" profile "${@:2}" && [ $(($(date +%s%N) - begun)) -ge $(($1 * 1000000000)) ]
}
check "it measures for as long as it is told" lasts 3 scalar "${scalar[@]}" --shape 45x37x29 --seconds 3

profile "no kernel of that id" 2 'scalr.*did you mean scalar' scalr "${scalar[@]}"
profile "no tile" 2 '"6by8" is no tile; write its rows and columns, e\.g\. 6x8, or free' scalar "${scalar[@]}" --tile 6by8
profile "no tile of the kernel" 2 'has no tile 99x99; it has free up to 64x64' scalar "${scalar[@]}" --tile 99x99
profile "no shape" 2 'shape' scalar "${scalar[@]}" --shape 10x10
profile "no kernel of the file" 2 'holds no kernel "mine"; it holds scalar' "$plugins" --allow-unsafe-path --kernel mine
profile "no kernel of that id's" 2 'scalar holds no kernel "mine"; it holds scalar\.' scalar "${scalar[@]}" --kernel mine
profile "no file" 2 'mine\.so' ./mine.so
profile "no kernel at all" 2 'required' --json
faulty=$build/tests/faulty_plugins
if [ -e "$faulty/first_entry_only.so" ]; then
    profile "a wrong kernel is not timed" 1 'is wrong, so it was not timed: .*' "$faulty/first_entry_only.so" --allow-unsafe-path \
        "${quick[@]}"
    cp "$work/out" wrong
    check "and nothing of a time is printed" bash -c '! grep -q GFLOP "$1"' _ wrong
    # The command that is printed runs as printed, and finds the same.
    repeat=$(sed -n 's/^  repeat: tune-gemm //p' wrong)
    check "the line that repeats it names the file" grep -q -- "--plugin-path $faulty/first_entry_only.so" <<<"$repeat"
    expect "and runs" 1 'The product is wrong' bash -c '"$0" $1' "$tune_gemm" "$repeat"
    hanging=$build/tests/host/tune/misbehaving.so
    # What hangs is given up; Ctrl-C does not wait for that.
    ends_when_told() { # SIGNAL
        "$tune_gemm" profile "$hanging" --allow-unsafe-path --kernel misbehaving.hangs "${quick[@]}" >told 2>&1 &
        local id=$!
        sleep 1
        kill -"$1" "$id"
        wait "$id"
        [ $? -eq 130 ] && grep -q 'Interrupted before the profile was there' told
    }
    check "SIGTERM ends it with a sentence and 130" ends_when_told TERM
    profile "a hanging kernel is given up after some seconds" 1 'misbehaving.hangs at [0-9x]* gave no answer within 1[0-9]\.[0-9] s' "$hanging" \
        --allow-unsafe-path "${quick[@]}" --json
    cp "$work/out" others
    check "what was measured of the file's other kernels is shown" grep -q '"kernel": "misbehaving.slips_by_1"' others
    profile "a crash is the worker's" 1 'The worker that profiled .* crashed' "$faulty/crash.so" --allow-unsafe-path \
        --shape 43x35x29
else
    skip "wrong kernels: the build has none"
fi

# What is said of a file before anything is timed.
fast=$build/plugins/avx2/avx2.so
if [ -e "$fast" ] && grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
    profile "a tile that one kernel of the file has" 0 '^6x8 ' "$fast" --allow-unsafe-path --tile 6x8 "${quick[@]}"
    check "and the other kernel is not asked for it" bash -c '! grep -q avx2_f32 "$1"' _ "$work/out"
    profile "a tile that none has" 2 'has no tile 7x7; it has 6x8' "$fast" --allow-unsafe-path --tile 7x7 "${quick[@]}"
else
    skip "one tile of a file with several kernels: this processor or build has no AVX2"
fi

# The inner loop: of the fast kernels it is known what must be in it, for each step in k; a compiler may put two steps into one
# iteration, and a sum into another register in between.
avx2=$build/plugins/avx2/avx2.so
if ! [ -e "$avx2" ] || ! grep -qw avx2 /proc/cpuinfo || ! grep -qw fma /proc/cpuinfo; then
    skip "the inner loop of avx2: this processor or build has no AVX2"
elif ! command -v objdump >/dev/null; then
    profile "without objdump that is said" 0 'objdump cannot be run' "$avx2" --allow-unsafe-path --kernel avx2 "${quick[@]}" --tile 6x8 --asm
else
    profile "the inner loop of a tile" 0 '(12|24|48) fused multiply-adds .vfmadd[0-9]+pd. on 32 bytes, [0-9]+ loads, 0 stores, 1[0-9] sums' \
        "$avx2" --allow-unsafe-path --kernel avx2 "${quick[@]}" --tile 6x8 --asm
    cp "$work/out" assembly
    check "is where the samples are" grep -Eq '^seen there in [0-9]+ of [0-9]+ samples' assembly
    check "is printed by address" grep -Eq '^ +[0-9a-f]+  vfmadd' assembly
    profile "each tile has its own" 0 '(12|24|48) fused multiply-adds' "$avx2" --allow-unsafe-path --kernel avx2 "${quick[@]}" --tile 2x24 --asm
    profile "in JSON" 0 '"fma": (12|24|48)' "$avx2" --allow-unsafe-path --kernel avx2 "${quick[@]}" --tile 6x8 --asm --json
    expect "without objdump that is said" 0 'objdump cannot be run' env PATH="$work" "$tune_gemm" profile "$avx2" \
        --allow-unsafe-path --kernel avx2 "${quick[@]}" --tile 6x8 --asm
fi
finish
