#!/usr/bin/env bash
# run --tuned: what tune has written is used for its shape, and only where it holds.
shapes=$(realpath "$(dirname "$0")/../../docs/shapes/quick.json")
source "$(dirname "$0")/expect.bash"
both=(--plugin-path "$plugins" --allow-unsafe-path)
odd=24x40x8:8x8:scalar:n_k_m:ab:workspace:compute # what the cache model would not choose
expect "tune" 0 '1 of 1 shapes tuned' "$tune_gemm" tune "${both[@]}" --shape 33x35x37 --layouts crc --candidate "$odd" \
    --confirm 2 --budget 5 --out tuned.json
run() { # NAME EXIT_CODE PATTERN ARGUMENTS...
    local name=$1 code=$2 pattern=$3
    shift 3
    expect "$name" "$code" "$pattern" "$tune_gemm" run "${both[@]}" --samples 1 "$@"
}
this=(--shape 33x35x37 --layouts crc)
run "the winner is run" 0 "candidate +$odd" "${this[@]}" --tuned tuned.json
run "and who chose it is said" 0 'chosen by +tuning: tuned.json' "${this[@]}" --tuned tuned.json
run "in JSON" 0 '"candidate_from": "tuned"' "${this[@]}" --tuned tuned.json --json
run "by its kernel" 0 "candidate +$odd" "${this[@]}" --tuned tuned.json --kernel scalar
run "by its arithmetic" 0 "candidate +$odd" "${this[@]}" --tuned tuned.json --arithmetic two-roundings
run "another shape: the model, with a note" 0 'not tuned +tuned.json has no result for 33x35x38, layouts crc, by a kernel' \
    --shape 33x35x38 --layouts crc --tuned tuned.json
run "the model is said, too" 0 'chosen by +the cache model' --shape 33x35x38 --layouts crc --tuned tuned.json
run "in JSON" 0 '"not_tuned": "tuned.json has no result for' --shape 33x35x38 --tuned tuned.json --json
run "other layouts" 0 'no result for 33x35x37, layouts rrr' --shape 33x35x37 --tuned tuned.json
run "another type" 0 'no result for 33x35x37, layouts crc' "${this[@]}" --tuned tuned.json --dtype f32
run "another kernel" 0 'no result for .*, by scalar_f64' "${this[@]}" --tuned tuned.json --kernel scalar_f64
run "more threads than it was tuned with" 0 'does not hold here: concurrency was "threads 1' "${this[@]}" \
    --tuned tuned.json --threads 2
sed 's/"cpu":"[^"]*/"cpu":"another one/' tuned.json >elsewhere.json
run "another processor" 0 'does not hold here: cpu was "another one" and is' "${this[@]}" --tuned elsewhere.json
sed -E 's/(, plugin )([0-9a-f]{64})/\10000000000000000000000000000000000000000000000000000000000000000,\2/' tuned.json >two.json
run "tuned beside another plugin" 0 "candidate +$odd" "${this[@]}" --tuned two.json
sed -E 's/(, plugin )([0-9a-f]{64})/\10000000000000000000000000000000000000000000000000000000000000000/' tuned.json >changed.json
run "another file of the plugin" 0 'does not hold here: runtime was' "${this[@]}" --tuned changed.json
run "a file without results" 2 'holds no results; --tuned takes what tune-gemm tune has written' "${this[@]}" \
    --tuned "$shapes"
run "no file" 2 'none.json' "${this[@]}" --tuned none.json
run "with a candidate" 2 '[Ee]xcludes' "${this[@]}" --tuned tuned.json --candidate "$odd"
finish
