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
# What contradicts itself is not believed.
planted() { # NAME SENTENCE PYTHON: of the results r, of which one is "first", and their environment e
    python3 - "$3" <<'P'
import json, sys
c = json.load(open("tuned.json"))
e, r = c["x_tune_gemm"]["environment"], c["x_tune_gemm"]["results"]
first = r[0]
exec(sys.argv[1])
json.dump(c, open("planted.json", "w"))
P
    run "$1" 2 "^tune-gemm: planted\.json: x_tune_gemm\.results\[$2$" "${this[@]}" --tuned planted.json
}
planted "a winner where all failed" '0\]\.outcome: "all_failed" is said, and there is a winner' 'first["outcome"] = "all_failed"'
planted "an outcome that is none" '0\]\.outcome: "failed" is no outcome; expected tuned, unconfirmed, all_failed, no_time or none_valid' \
    'first["outcome"] = "failed"'
planted "tuned, and no winner" '0\]\.outcome: "tuned" is said, and there is no winner' 'del first["winner"]'
planted "a shape that is not in the list" '0\]\.shape_index: expected an integer from 0 to 0, found the number 7' 'first["shape_index"] = 7'
planted "another shape than the one in the list" '0\]\.shape: "33x35x38" contradicts shapes\[0\]; expected "33x35x37"' \
    'first["shape"] = "33x35x38"'
planted "other layouts" '0\]\.layouts: "rrr" contradicts shapes\[0\]; expected "crc"' 'first["layouts"] = "rrr"'
planted "another workspace than the blocks need" \
    '0\]\.winner\.workspace_bytes: 1 contradicts the blocks of 24x40x8:.*, which need [0-9]+ bytes in f64' 'first["winner"]["workspace_bytes"] = 1'
planted "two results for one shape" '1\]\.shape_index: 0 is that of results\[0\], too; expected one result for each shape' 'r.append(first)'
planted "an id that is none" '0\]\.winner\.id: .*mine.*' 'first["winner"]["id"] = "mine"'
planted "blocks that overflow" '0\]\.winner\.id: The workspace of mc = .*' \
    'first["winner"]["id"] = "4294967296x4294967296x4294967296:4x4:scalar:m_n_k:ab:workspace:compute"'
planted "an arithmetic that is none" '0\]\.winner\.arithmetic: dtype "x64" is not known.*' 'first["winner"]["arithmetic"] = "x64 sequential"'
python3 -c 'import json; c = json.load(open("tuned.json")); c["x_tune_gemm"]["environment"]["cpu"] = "a\x1b[31mb"; json.dump(c, open("red.json", "w"))'
run "control characters are shown and not obeyed" 0 'cpu was "a.u001b\[31mb" and is' "${this[@]}" --tuned red.json
run "a file without results" 2 'holds no results; --tuned takes what tune-gemm tune has written' "${this[@]}" \
    --tuned "$shapes"
esc=$'\x1b'
cp tuned.json "red${esc}[31m.json"
run "nor those of a file's name" 0 'tuning: red.x1b\[31m\.json' "${this[@]}" --tuned "red${esc}[31m.json"
run "also where it is complained of" 2 'none.x1b\[31m\.json' "${this[@]}" --tuned "none${esc}[31m.json"
run "no file" 2 'none.json' "${this[@]}" --tuned none.json
run "with a candidate" 2 '[Ee]xcludes' "${this[@]}" --tuned tuned.json --candidate "$odd"

# What the model proposes for a shape is tried first at that shape, whatever the others are; and of a file of shapes
# nothing else counts: in this one's 64 bytes no block would fit.
cat >two.json <<'J'
{"schema_version":"mmkts_1","seed":"42","shapes":[
{"m":40,"n":48,"k":56,"batch":1,"reuse_count":1,"layout_a":"row_major","layout_b":"row_major","layout_c":"row_major"},
{"m":90,"n":20,"k":30,"batch":1,"reuse_count":1,"layout_a":"row_major","layout_b":"row_major","layout_c":"row_major"}],
"candidates":[],"max_workspace_bytes":"64","exploration_samples":1,"confirmation_samples":2}
J
fused=$(dirname "$tune_gemm")/../../plugins/scalar_fma/scalar_fma.so
if [ -e "$fused" ]; then
    expect "tune two shapes" 0 '2 of 2 shapes tuned' "$tune_gemm" tune --plugin-path "$fused" --allow-unsafe-path --shapes two.json \
        --kernel scalar_fma --budget 2 --out two_tuned.json
    for shape in 40x48x56 90x20x30; do
        expect "$shape untuned" 0 'cache model' "$tune_gemm" run --plugin-path "$fused" --allow-unsafe-path --shape $shape --samples 1 \
            --kernel scalar_fma
        awk '/^candidate/ { print $2 }' "$work/out" >>proposed
    done
    check "each model's proposal was the first to be validated" python3 - <<'P'
import json
first = {}
for line in open("two_tuned.journal.jsonl"):
    record = json.loads(line)
    if record["type"] == "validation":
        first.setdefault(record["shape_index"], record["candidate"])
assert [first[0], first[1]] == open("proposed").read().split(), first
P
else
    skip "two shapes: the build has no scalar_fma"
fi
finish
