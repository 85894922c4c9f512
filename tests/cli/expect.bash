# What the command-line tests share. Each test case is one call of `expect`; the script ends with `finish`, which prints the
# counts in the same form as the unit tests.
set -uo pipefail
tune_gemm=$(realpath "$1")
plugins=$2
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export HOME=$work/home XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache
unset TUNE_GEMM_PLUGIN_PATH
mkdir -p "$HOME" "$XDG_DATA_HOME" "$XDG_CACHE_HOME"
cd "$work" || exit 1
passed=0 failed=0

# expect NAME EXIT_CODE PATTERN COMMAND...: the command ends with that exit code, within 300 s, and prints the (extended,
# case-sensitive) pattern on stdout or stderr. An empty pattern is not looked for.
expect() {
    local name=$1 code=$2 pattern=$3 got=0
    shift 3
    timeout 300 "$@" >"$work/out" 2>&1 </dev/null || got=$?
    if [ "$got" -eq "$code" ] && { [ -z "$pattern" ] || grep -Eq -- "$pattern" "$work/out"; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: exit code %s, expected %s, and the text /%s/ in:\n' "$name" "$got" "$code" "$pattern"
        sed 's/^/    /' "$work/out"
    fi
}

# check NAME COMMAND...: the command succeeds. It finds in $work/out what the last `expect` has printed.
check() {
    local name=$1
    shift
    if "$@" >"$work/checked" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: %s\n' "$name" "$*"
        sed 's/^/    /' "$work/checked"
    fi
}

# skip REASON: a case that cannot run here. It counts as a case and is reported with its reason.
skip() {
    passed=$((passed + 1)) # scripts/count_tests.py takes it from there
    printf 'SKIPPED: %s\n' "$1"
}

finish() {
    printf 'test cases: %d | %d passed | %d failed\n' $((passed + failed)) "$passed" "$failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
