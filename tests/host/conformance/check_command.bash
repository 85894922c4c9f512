#!/usr/bin/env bash
# tune-gemm check: what it prints, its exit codes, and that its repeat command repeats.
source "$(dirname "$0")/../../cli/expect.bash"
tests=$3
faulty=$tests/faulty_plugins
sound=$tests/sound_plugins
unsafe=--allow-unsafe-path # whatever the permissions of the build folder

checked() { # NAME EXIT_CODE PATTERN ARGUMENTS...
    local name=$1 code=$2 pattern=$3
    shift 3
    expect "$name" "$code" "$pattern" "$tune_gemm" check "$@"
}

checked "the scalar plugin passes" 0 '^[0-9]+ passed, 0 failed, [0-9]+ skipped\.$' "$plugins" $unsafe --kernel scalar
checked "every check is listed with its contract" 0 'tail\.residues +must .*Every m up to mr' --list
checked "the list is JSON when asked for" 0 '"check": "tail.residues"' --list --json
checked "a wrong tail fails, with the element" 1 'C\(2,[0-9]\) is .*m=3' "$faulty/wrong_m_tail.so" $unsafe --only tail.residues
checked "a failure quotes the contract" 1 'contract: Every m up to mr' "$faulty/wrong_m_tail.so" $unsafe --only tail
checked "a crash is a result, with signal and place" 1 'SIGSEGV.*past the end of A' "$faulty/over_read_a.so" $unsafe --only tail.residues
checked "an exit with success is a failure" 1 'called exit' "$faulty/exits.so" $unsafe --only tail.residues
checked "a hang is a result, with the call" 1 '^timeout result\.nonfinite' "$faulty/hang.so" $unsafe --only result.nonfinite --time-limit 1.5
checked "a warning does not fail" 0 '^warn metadata\.read_only' "$faulty/changing_rank.so" $unsafe --only metadata.read_only
checked "nothing that applies is no success" 77 'nothing is proved' "$sound/sound_gemm.so" $unsafe --only metadata.tile
checked "one kernel of several" 0 'kernel +sound\.fused' "$sound/sound_tiles.so" $unsafe --only metadata --kernel sound.fused
checked "a skip says why" 0 'Not a free tile' "$sound/sound_tiles.so" $unsafe --only tail --kernel sound.fused
checked "in process, too" 1 'C\(2,' "$faulty/wrong_m_tail.so" $unsafe --only tail.residues --in-process
checked "JSON holds status, sentence and repeat command" 1 '"repeat": "tune-gemm check .* --only tail\.residues --seed 7 ' \
    "$faulty/wrong_m_tail.so" $unsafe --only tail.residues --seed 7 --json

checked "a failure says where it is explained" 1 'see: +docs/kernel-contract\.md#tail\.residues' "$faulty/wrong_m_tail.so" $unsafe --only tail.residues

# For other programs.
checked "TAP has a plan and numbered results" 1 '^not ok 2 - tail\.residues of faulty\.wrong_m_tail, tile 4x6$' \
    "$faulty/wrong_m_tail.so" $unsafe --only metadata.texts --only tail.residues --tap
checked "TAP says why a test was not run" 0 '^ok 2 - metadata\.gemm .* # SKIP A tile kernel' \
    "$faulty/wrong_m_tail.so" $unsafe --only metadata.texts --only metadata.gemm --tap
checked "JUnit is written beside what is printed" 1 'tail\.residues.*crash' "$faulty/crash.so" $unsafe \
    --only metadata.texts --only metadata.gemm --only tail.residues --junit junit.xml
check "JUnit is well-formed XML and counts as the report does" python3 - <<'END'
import xml.etree.ElementTree as tree
root = tree.parse("junit.xml").getroot()
counts = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")}
assert counts == {"tests": "3", "failures": "0", "errors": "1", "skipped": "1"}, counts
cases = {case.get("name"): case for case in root.iter("testcase")}
assert "SIGSEGV" in cases["tail.residues"].find("error").get("message")
assert "repeat: tune-gemm check" in cases["tail.residues"].find("error").text
assert cases["metadata.gemm"].find("skipped").get("message")
assert len(cases["metadata.texts"]) == 0
END
checked "a JUnit file that cannot be written is told before anything runs" 2 'no/such/folder' \
    "$faulty/crash.so" $unsafe --junit no/such/folder/junit.xml
checked "TAP and JSON at once" 2 'give one of them' "$plugins" $unsafe --tap --json
checked "no job at all" 2 'jobs' "$plugins" $unsafe --jobs 0
"$tune_gemm" check "$sound/sound_tiles.so" $unsafe --only metadata --only tail --jobs 1 --tap >one
"$tune_gemm" check "$sound/sound_tiles.so" $unsafe --only metadata --only tail --jobs 4 --tap >four
check "the number of jobs does not show in the report" cmp one four

# The cache, in a folder of its own (expect.bash sets XDG_CACHE_HOME).
checked "a first run of the whole table is fresh" 0 'passed, 0 failed' "$sound/sound_in_c.so" $unsafe
checked "the second says what comes from the first" 0 '[0-9]+ of [0-9]+ results are from an earlier run' "$sound/sound_in_c.so" $unsafe
checked "and so does JSON" 0 '"cached": true' "$sound/sound_in_c.so" $unsafe --json
"$tune_gemm" check "$sound/sound_in_c.so" $unsafe --no-cache >fresh 2>&1
check "--no-cache runs everything" test -z "$(grep -E 'cached|earlier run' fresh)"

# The repeat command, run as printed, fails in the same words.
"$tune_gemm" check "$faulty/two_accumulators.so" $unsafe --only result --seed 123 >first 2>&1
command=$(sed -n 's/^  repeat: *tune-gemm check \(.*--only result\.rounding.*\)$/\1/p' first | head -1)
sentence=$(sed -n '/^fail result\.rounding/{n;p}' first | head -1)
check "a repeat command is printed" test -n "$command" -a -n "$sentence"
# shellcheck disable=SC2086 # the command is several words
"$tune_gemm" check $command >second 2>&1
check "the repeat command gives the same failure" grep -qF -- "$sentence" second

checked "neither file nor id" 2 'FILE.ID' --only tail
checked "an unknown check, nearest suggested" 2 'tail\.blocks' "$plugins" $unsafe --only tail.block
checked "an unknown kernel of the file" 2 'nothere.*sound\.tiles' "$sound/sound_tiles.so" $unsafe --kernel nothere
checked "an unknown tile" 2 'no tile "9x9"; it has 1x1, 3x5, 31x2' "$sound/sound_tiles.so" $unsafe --tile 9x9
checked "one tile" 0 ' 3x5 .* pass' "$sound/sound_tiles.so" $unsafe --only metadata.tile --tile 3x5
"$tune_gemm" check "$sound/sound_tiles.so" $unsafe --only metadata.tile --tile 3x5 >one 2>&1
check "and no other" test -z "$(grep -E ' (1x1|31x2) ' one)"
checked "the repeat command names the tile" 1 'repeat: .*--tile (4x6|2x3)' "$faulty/tiles_differ.so" $unsafe --only result.rounding
checked "a file that is not there" 2 'absent\.so' ./absent.so
printf 'no library' >text.so
checked "a file that is no library" 1 'text\.so' ./text.so $unsafe
checked "a seed that is no number" 2 'seed.*many' "$plugins" $unsafe --seed many
checked "a time limit of 0" 2 'time-limit' "$plugins" $unsafe --time-limit 0
finish
