#!/usr/bin/env bash
# Bad input gives a sentence with the field and the value, exit code 2, and touches nothing on disk.
source "$(dirname "$0")/expect.bash"

bad() { # NAME PATTERN ARGUMENTS...
    local name=$1 pattern=$2
    shift 2
    expect "$name" 2 "$pattern" "$tune_gemm" "$@"
}

# Extents
bad "m = 0" 'm.*"?0' run --shape 0x4x4
bad "n negative" 'n.*-4' run --shape 4x-4x4
bad "k = 0" 'k.*0' run --shape 4x4x0
bad "batch = 0" 'batch.*0' run --shape 4x4x4x0
bad "m past 64 bits" '99999999999999999999' run --shape 99999999999999999999x4x4
bad "a product overflows" 'overflow|64 bits' run --shape 4194304x4194304x4194304
bad "memory does not suffice" 'memory' run --shape 1000000x1000000x1
bad "memory does not suffice to tune" 'memory' tune --shape 1000000x1000000x1 --out t.json
bad "two extents" '4x4' run --shape 4x4
bad "letters" 'fourx4x4' run --shape fourx4x4
bad "trailing text" '4x4x4x1x' run --shape 4x4x4x1x

# Names
bad "unknown layout" 'rxc' run --shape 4x4x4 --layouts rxc
bad "too many layouts" 'rrrr' run --shape 4x4x4 --layouts rrrr
bad "unknown kernel, nearest suggested" "scaler.*scalar" run --shape 4x4x4 --kernel scaler
bad "unknown kernel to tune" "scaler.*scalar" tune --shape 4x4x4 --kernel scaler --out t.json
bad "unknown kernel to check" "scaler.*scalar" check scaler
bad "unknown dtype" 'f63' run --shape 4x4x4 --dtype f63
bad "unknown subcommand" '' frobnicate
bad "unknown option" '' run --shape 4x4x4 --frobnicate

# What the command line itself is asked of
bad "unknown option, nearest suggested" 'There is no option --shap; did you mean --shape\? See tune-gemm run --help' run --shap 4x4x4
bad "unknown option before the command" 'There is no option --jsn' --jsn list
bad "unknown option of a group" 'There is no option --confg; did you mean --config\?' tune --confg x.json
bad "an argument too many" '"b" was not expected' new a b
bad "an option without its value" '^tune-gemm: --kernel needs a value: ID\. See' run --shape 4x4x4 --kernel
bad "an option twice" '--shape was given more than once; give it once\.' run --shape 4x4x4 --shape 5x5x5
bad "a value for a flag" '--json takes no value\.' run --shape 4x4x4 --json=maybe
bad "no problem to tune" 'One of --config, --shapes, --shape is needed\.' tune
bad "two problems to tune" 'Of --config, --shapes, --shape only one may be given\.' tune --shape 4x4x4 --config x
bad "a count past its limit" '--threads: "1025" is not a whole number from 1 to 1024\.' run --shape 4x4x4 --threads 1025
bad "a count that is none" '--samples: "1e3" is not a whole number from 0 to 100000\.' run --shape 4x4x4 --samples 1e3
bad "a time that is none" '--time-limit: "0" is not a number of seconds from 0\.01 to 86400\.' check scalar --time-limit 0
bad "no such kind" '--kind "tiles" is no kind of kernel; tile and gemm are\.' new mine --kind tiles

# Candidates
id() { bad "$1" "$2" run --shape 64x64x64 --candidate "$3"; }
id "amortized_0" 'timing.*amortized_0' 64x64x32:4x4:scalar:m_n_k:ab:workspace:amortized_0
id "prepacked_a without packing a" 'prepacked_a' 64x64x32:4x4:scalar:m_n_k:b:prepacked_a:compute
id "prepacked_b without packing b" 'prepacked_b' 64x64x32:4x4:scalar:m_n_k:a:prepacked_b:compute
id "prepacked_ab without packing ab" 'prepacked_ab' 64x64x32:4x4:scalar:m_n_k:none:prepacked_ab:compute
id "mr > mc" 'mr.*8' 4x64x32:8x4:scalar:m_n_k:ab:workspace:compute
id "nr > nc" 'nr.*8' 64x4x32:4x8:scalar:m_n_k:ab:workspace:compute
id "mc = 0" 'mc.*0' 0x64x32:4x4:scalar:m_n_k:ab:workspace:compute
id "unknown packing" 'packing.*"c"' 64x64x32:4x4:scalar:m_n_k:c:workspace:compute
id "unknown loop order" 'loop_order.*"k_n_m"' 64x64x32:4x4:scalar:k_n_m:ab:workspace:compute
id "unknown allocation" 'allocation.*"heap"' 64x64x32:4x4:scalar:m_n_k:ab:heap:compute
id "unknown timing scope" 'timing.*"wall"' 64x64x32:4x4:scalar:m_n_k:ab:workspace:wall
id "unknown kernel in an id" 'scaler.*scalar' 64x64x32:4x4:scaler:m_n_k:ab:workspace:compute
id "a block that overflows" 'workspace|overflow|64 bits' 4294967296x4294967296x4294967296:4x4:scalar:m_n_k:ab:workspace:compute

# An option takes one value, whatever follows it
expect "a check named before the plugin" 0 'result.one_hot' "$tune_gemm" check --only result.one_hot scalar

# Limits
bad "limit 0" 'workspace-limit.*0' run --shape 64x64x64 --workspace-limit 0
bad "limit negative" 'workspace-limit.*-1' run --shape 64x64x64 --workspace-limit -1
bad "limit no number" 'workspace-limit.*many' run --shape 64x64x64 --workspace-limit many
bad "limit too small for the candidate" '65536' run --shape 64x64x64 --workspace-limit 65536 \
    --candidate 128x128x64:4x4:scalar:m_n_k:ab:workspace:compute
bad "limit 0 to tune" 'workspace-limit.*0' tune --shape 64x64x64 --workspace-limit 0 --out t.json
bad "limit too small for every candidate" 'workspace' tune --shape 64x64x64 --workspace-limit 64 --out t.json
bad "budget 0" 'budget' tune --shape 64x64x64 --budget 0 --out t.json
bad "budget no number" 'budget' tune --shape 64x64x64 --budget soon --out t.json

# Configurations
good='{"schema_version":"mmkts_1","seed":"42","shapes":[{"m":4,"n":4,"k":4,"batch":1,"reuse_count":1,"layout_a":"row_major","layout_b":"row_major","layout_c":"row_major"}],"candidates":[{"id":"32x32x32:2x2:scalar:m_n_k:ab:workspace:compute","mc":32,"nc":32,"kc":32,"mr":2,"nr":2,"packing":"ab","loop_order":"m_n_k","microkernel":"scalar","allocation":"workspace","timing_scope":"compute"}],"max_workspace_bytes":"262144","exploration_samples":1,"confirmation_samples":2}'
config() { # NAME PATTERN TEXT
    printf '%s' "$3" >config.json
    bad "$1" "$2" tune --config config.json --out t.json
}
printf '%s' "$good" >good.json
expect "the configuration that the others are made from is good" 0 '' "$tune_gemm" tune --config good.json --out good.out --journal good.jsonl --budget 20
config "truncated" 'config\.json' "${good:0:200}"
config "empty" 'config\.json' ''
config "too deep" 'deep|depth' "$(printf '[%.0s' $(seq 200))"
config "duplicate key" 'seed' "${good/\"seed\":\"42\",/\"seed\":\"42\",\"seed\":\"43\",}"
config "another schema version" 'schema_version.*mmkts_2' "${good/mmkts_1/mmkts_2}"
config "a number where text belongs" 'layout_a' "${good/\"layout_a\":\"row_major\"/\"layout_a\":1}"
config "text where a number belongs" 'shapes\[0\]\.m' "${good/\"m\":4/\"m\":\"4\"}"
config "2^64 as a seed" 'seed.*18446744073709551616' "${good/\"42\"/\"18446744073709551616\"}"
config "a seed that is a bare number" 'seed' "${good/\"42\"/42}"
config "a real number" 'shapes\[0\]\.m|integer|line' "${good/\"m\":4/\"m\":4.5}"
config "unknown layout" 'layout_b.*diagonal' "${good/\"layout_b\":\"row_major\"/\"layout_b\":\"diagonal\"}"
config "m = 0" 'shapes\[0\]\.m.*0' "${good/\"m\":4/\"m\":0}"
config "an id that contradicts its fields" 'candidates\[0\]' "${good/\"mc\":32/\"mc\":64}"
config "amortized_0" 'timing_scope.*amortized_0' "${good//compute/amortized_0}"
config "no shapes" 'shape' "$(sed 's/"shapes":\[[^]]*\]/"shapes":[]/' good.json)"
config "no candidates" 'candidate' "$(sed 's/"candidates":\[[^]]*\]/"candidates":[]/' good.json)"
config "no valid candidate" 'valid' "${good/262144/64}"
config "limit 0" 'max_workspace_bytes' "${good/262144/0}"
config "scopes mixed" 'scope' "$(python3 - "$good" <<'P'
import json, sys
c = json.loads(sys.argv[1])
d = dict(c["candidates"][0])
d["timing_scope"] = "end_to_end"
d["id"] = d["id"].replace("compute", "end_to_end")
c["candidates"].append(d)
print(json.dumps(c))
P
)"
{ printf '{"schema_version":"mmkts_1","pad":"'; head -c 70000000 /dev/zero | tr '\0' 'x'; printf '"}'; } >large.json
bad "too large" 'large' tune --config large.json --out t.json
bad "no such file" 'absent\.json' tune --config absent.json --out t.json
check "nothing was written" test ! -e t.json -a ! -e t.journal.jsonl

# Output paths, checked before anything is measured
bad "output into a folder that is not there" 'nowhere' tune --shape 16x16x16 --out nowhere/t.json
bad "output onto a folder" 'folder|directory' tune --shape 16x16x16 --out "$work"
bad "journal into a folder that is not there" 'nowhere' tune --shape 16x16x16 --out t.json --journal nowhere/j.jsonl
bad "output onto a device that is full" 'No space left' tune --shape 16x16x16 --out t.json --journal /dev/full
mkfifo pipe
bad "output into a pipe without a reader" 'pipe: is a pipe' tune --shape 16x16x16 --out pipe
bad "journal into a pipe without a reader" 'pipe: is a pipe' tune --shape 16x16x16 --out t.json --journal pipe
bad "a configuration from a pipe without a writer" 'pipe: nothing was written' tune --config pipe
check "still nothing was written" test ! -e t.json -a ! -e pipe.journal.jsonl

# Arguments that are empty, as a variable of the shell that was not set makes them
bad "an empty configuration" '"--config" is empty' tune --config ""
bad "an empty candidate" '"--candidate" is empty' run --shape 4x4x4 --candidate ""
bad "a value that is missing" '"--kernel=" has no value' run --shape 4x4x4 --kernel=
bad "an empty command" 'first argument is empty' ""

# Numbers and names that are nearly right
bad "alpha out of range" 'alpha.*1e400' run --shape 4x4x4 --alpha 1e400
bad "beta no number" 'beta.*"nan"' run --shape 4x4x4 --beta nan
bad "a file named without its folder" 'take it as \./pipe' inspect pipe
bad "a folder where a plugin was expected" 'folder' inspect .
bad "a kernel of the other type" 'dtype f32.*scalar works on f64' run --shape 4x4x4 --kernel scalar --dtype f32
printf 'precious' >kept.json
bad "bad input leaves an existing file alone" '' tune --shape 0x1x1 --out kept.json
check "the file is as it was" test "$(cat kept.json)" = precious

# What cannot be printed is not taken for printed
expect "a long answer onto a full device" 1 'Standard output could not be written' \
    bash -c '"$0" list --json >/dev/full' "$tune_gemm"
bad "a device has no journal beside it" '/dev/null: is a device.*--journal' tune --shape 8x8x8 --out /dev/null
expect "a result on a device" 0 '' \
    "$tune_gemm" tune --shape 8x8x8 --candidate 8x8x8:4x4:scalar:m_n_k:ab:workspace:compute --budget 60 --confirm 1 \
    --out /dev/null --journal null.jsonl
expect "a complaint that nobody hears" 2 '' bash -c '"$0" nonsense 2>&-' "$tune_gemm"
expect "a complaint onto a full device" 2 '' bash -c '"$0" nonsense 2>/dev/full' "$tune_gemm"

# What was written before stays where a run has nothing better
cp null.jsonl journal.jsonl
bad "one file for both" 'are one file' tune --shape 8x8x8 --out journal.jsonl --journal ./journal.jsonl
check "the journal is whole" cmp null.jsonl journal.jsonl
expect "a budget too short for any result" 1 'kept.json is not written' \
    "$tune_gemm" tune --shape 64x64x64 --budget 0.001 --out kept.json --journal short.jsonl
check "the result before is still there" grep -qx precious kept.json
ln -s loop_a loop_b && ln -s loop_b loop_a
bad "an output that is a circle of links" 'loop_a: cannot be written' tune --shape 8x8x8 --out loop_a
check "the circle is left alone" test -L loop_a
echo '{"schema_version":"tune_gemm_lock_1","plugins":[]}' >plugins.lock.json
from_nowhere() { # ARGUMENTS...: from a current folder that is not there any more
    mkdir nowhere && (cd nowhere && rmdir ../nowhere && "$tune_gemm" "$@")
}
export -f from_nowhere
export tune_gemm
for command in "inspect ./mine.so" "check --watch ./mine.so" "list --plugin-path ."; do
    expect "no current folder: $command" 2 'is looked for from the current folder, which is not there any more' \
        bash -c "from_nowhere $command"
done
expect "no folder to find the lock file in" 2 'name the file with --lock-file' \
    env -u HOME -u XDG_DATA_HOME "$tune_gemm" list --locked
finish
