#!/usr/bin/env bash
# f32 wherever f64 is: multiply, verify, time, tune, record, and go on from what was recorded.
source "$(dirname "$0")/expect.bash"
both=(--plugin-path "$plugins" --allow-unsafe-path)

run() { # NAME PATTERN ARGUMENTS...
    local name=$1 pattern=$2
    shift 2
    expect "$name" 0 "$pattern" "$tune_gemm" run "${both[@]}" "$@"
}
for dtype in f64 f32; do
    id=scalar
    [ $dtype = f64 ] || id=scalar_f32
    candidate=32x32x32:4x4:$id:m_n_k:ab:workspace:compute
    run "$dtype: run by the kernel" "$dtype sequential two-roundings" --shape 33x35x37 --dtype $dtype --kernel $id
    run "$dtype: bit for bit in every layout" 'all 5808 entries, equal bit for bit' \
        --shape 44x66x31x2 --layouts crc --candidate $candidate --samples 1
    run "$dtype: alpha and beta" 'equal bit for bit' --shape 33x35x37 --candidate $candidate --alpha 0.3 --beta -0.7
    run "$dtype: in JSON" "\"class\": \"$dtype sequential" --shape 33x35x37 --candidate $candidate --json
    run "$dtype: above the size that is compared whole" 'sampled' --shape 520x520x500 --candidate $candidate --samples 0
    expect "$dtype: tune" 0 '1 of 1 shapes tuned' "$tune_gemm" tune "${both[@]}" --shape 24x20x28 --dtype $dtype \
        --candidate $candidate --candidate 64x64x64:8x8:auto:n_k_m:ab:workspace:compute --confirm 2 --out $dtype.json
    check "$dtype: the class is in the result" grep -q "$dtype sequential two-roundings" $dtype.json
    check "$dtype: auto became the kernel of the type" grep -q "8x8:$id:n_k_m" $dtype.journal.jsonl # where a slow one is, too
    expect "$dtype: tune what was written" 0 '1 of 1 shapes tuned' "$tune_gemm" tune "${both[@]}" --dtype $dtype \
        --config $dtype.json --out again.json
    expect "$dtype: the whole grid" 0 '162 distinct|1 of 1 shapes tuned' "$tune_gemm" tune "${both[@]}" --shape 8x8x8 \
        --dtype $dtype --kernel $id --confirm 2 --budget 40 --out grid.json
done

# Untuned: the fastest kernel of the type among those loaded, tile and blocks by the cache model.
run "auto, untuned: by the model" 'chosen by +the cache model, untuned: L1' --shape 61x67x71
run "auto, untuned: the record says so" '"candidate_from": "model"' --shape 61x67x71 --json
run "auto, untuned: f32" 'f32 sequential .*' --shape 61x67x71 --dtype f32
run "a named candidate is no model's" '"candidate_from": "given"' --shape 61x67x71 --candidate "$candidate" --json
run "two roundings when asked for" 'f64 sequential two-roundings' --shape 61x67x71 --arithmetic two-roundings
run "fused when asked for" 'f32 sequential fused' --shape 61x67x71 --arithmetic fused --dtype f32
run "auto in a candidate means the default grid's class" '4x4:scalar:m_n_k' --shape 61x67x71 \
    --candidate 32x32x32:4x4:auto:m_n_k:ab:workspace:compute
expect "an arithmetic that is none" 2 'exact.*sequential, two-roundings, fused' "$tune_gemm" run "${both[@]}" \
    --shape 8x8x8 --arithmetic exact
expect "tune what is fused" 0 'f32 sequential fused' bash -c \
    '"$0" tune "$@" && cat fused.json' "$tune_gemm" "${both[@]}" --shape 8x9x10 --dtype f32 --arithmetic fused \
    --budget 3 --out fused.json

# The workspace of f32 is half of f64's: 128x128x64 takes 262144 bytes as f64.
large() { printf '128x128x64:8x8:%s:m_n_k:ab:workspace:compute' "$1"; }
run "f32 within half of f64's workspace" '128 KiB' --shape 64x64x64 --workspace-limit 131072 --candidate "$(large scalar_f32)"
expect "f64 not within half of its workspace" 2 '262144' "$tune_gemm" run "${both[@]}" --shape 64x64x64 \
    --workspace-limit 131072 --candidate "$(large scalar)"
expect "a kernel of another type than the one asked for" 2 'f64.*scalar_f32.*f32' "$tune_gemm" run "${both[@]}" \
    --shape 8x8x8 --dtype f64 --kernel scalar_f32
expect "a type that is not served" 2 'bf16.*not served' "$tune_gemm" run "${both[@]}" --shape 8x8x8 --dtype bf16
expect "check of the f32 kernel" 0 'scalar_f32' "$tune_gemm" check "${both[@]}" scalar_f32
finish
