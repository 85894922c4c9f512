#!/usr/bin/env bash
# check --watch: a report after each change, however the file is replaced; and how Ctrl-C ends a command:
# watch.bash PROGRAM SCALAR_PLUGIN TESTS_BUILD_FOLDER
source "$(dirname "$0")/expect.bash"
sound=$3/sound_plugins/sound_in_c.so faulty=$3/faulty_plugins/wrong_m_tail.so hang=$3/faulty_plugins/hang.so
unsafe=--allow-unsafe-path # whatever the permissions of the build folder
watcher=

background() { # ARGUMENTS...: of the program, which writes the log
    : >log # before anybody looks at it: the other process may begin late
    "$tune_gemm" "$@" >>log 2>&1 &
    watcher=$!
}
start() { # ARGUMENTS...: watches ./mine.so
    background check --watch ./mine.so $unsafe "$@"
}
await() { # PATTERN COUNT: until the log has that many lines of it
    for ((i = 0; i < 1500; ++i)); do
        [ "$(grep -cE -- "$1" log)" -lt "$2" ] || return 0
        kill -0 "$watcher" || break
        sleep 0.1
    done
    cat log
    return 1
}
await_last() { # PATTERN: until it is what the newest whole report says
    for ((i = 0; i < 1500; ++i)); do
        if [ "$(tail -n 2 log | head -n 1)" = "Waiting for the next change; Ctrl-C ends." ] &&
            grep -E '^[0-9]+ passed|\.so: ' log | tail -n 1 | grep -Eq -- "$1"; then
            return 0
        fi
        kill -0 "$watcher" || break
        sleep 0.1
    done
    cat log
    return 1
}
ends_with() { # EXIT_CODE SIGNAL
    local got=0
    kill -"$2" "$watcher"
    wait "$watcher" || got=$?
    echo "exit code $got"
    [ "$got" -eq "$1" ]
}
await_handler() { # until the program catches SIGINT itself, and not the shell's child that is about to become it
    for ((i = 0; i < 1500; ++i)); do
        [ "$(readlink "/proc/$watcher/exe")" -ef "$tune_gemm" ] && [[ $(sed -n 's/^SigCgt:.*\(.\)$/\1/p' "/proc/$watcher/status") == [2367abef] ]] && return 0
        sleep 0.1
    done
    return 1
}
replace() { # FILE: as most tools do it
    cp "$1" new.so && mv new.so mine.so
}

cp "$sound" mine.so
start --only tail.residues
check "the first report comes unasked" await '^Waiting for the next change' 1
check "under a header with the time" grep -Eq '^\[[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\] \./mine\.so, run 1$' log
check "a file moved into its place is checked" bash -c 'cp "$1" new.so && mv new.so mine.so' _ "$faulty"
check "and found wrong" await_last ' 1 failed'
check "with the element" grep -Eq 'C\(2,[0-9]\) is .*m=3' log
check "and how to look into it" grep -Eq '^  debug:    gdb --args tune-gemm check \./mine\.so --only tail\.residues .*--in-process$' log
rm mine.so && sleep 0.2 && cp "$sound" mine.so
check "a file that was gone for a moment" await_last ' 0 failed'
rm mine.so
check "one that stays away is told" await 'it is not there\. Waiting for it' 1
cp "$faulty" mine.so
check "and checked when it comes back" await_last ' 1 failed'
head -c 3000 "$sound" >mine.so
check "a half written file is refused" await_last 'truncated'
tail -c +3001 "$sound" >>mine.so
check "and checked once it is whole" await_last ' 0 failed'
replace "$sound" && replace "$faulty"
check "of two builds in a row the second counts" await_last ' 1 failed'
cp --preserve=timestamps mine.so aside.so
runs=$(grep -c '^\[.*, run ' log)
cat aside.so >mine.so && touch -r aside.so mine.so
check "a file written anew with size and time of before" await ", run $((runs + 1))$" 1
check "is checked to its end" await_last ' 1 failed'
check "Ctrl-C ends with the code of the last check" ends_with 1 INT

replace "$hang"
start --only result.nonfinite --time-limit 600
await ', run 1$' 1 && sleep 0.5
replace "$sound"
check "a change ends the run that it overtakes" await 'changed while it was checked; it is checked again' 1
check "and the new file is checked" await_last ' 0 failed'
check "a request to end is one, too" ends_with 0 TERM

replace "$hang"
start --only result.nonfinite --time-limit 600
await ', run 1$' 1 && sleep 0.5
check "Ctrl-C in the middle of a run" ends_with 130 INT
check "says that it proves nothing" grep -q '^Interrupted before the checks had ended; nothing is proved\.$' log

# Without --watch.
background check ./mine.so $unsafe --only result.nonfinite --time-limit 600
await_handler
check "Ctrl-C ends a check" ends_with 130 INT
check "with a sentence" grep -q '^tune-gemm: Interrupted after 0 of 1 checks' log
background run --shape 200x200x200 --samples 100000 --plugin-path "$plugins" $unsafe --kernel scalar
await_handler
check "Ctrl-C ends a run" ends_with 130 INT
check "with a sentence" grep -q '^tune-gemm: Interrupted before' log

replace "$sound"
expect "a report that cannot be written ends it" 1 '^tune-gemm: Standard output could not be written; the result is not complete\.$' \
    bash -c '"$0" check --watch ./mine.so --allow-unsafe-path --only tail.residues >/dev/full' "$tune_gemm"

bad() { # NAME PATTERN ARGUMENTS...
    local name=$1 pattern=$2
    shift 2
    expect "$name" 2 "$pattern" "$tune_gemm" check --watch "$@"
}
bad "a folder" 'is a folder; --watch needs one file' ./
bad "an id" '--watch needs the file, not an id' scalar
bad "in a folder that is not there" 'there is no folder' ./nowhere/mine.so
bad "JUnit" '--watch prints a short report .* --junit is one report' ./mine.so --junit x.xml
bad "JSON" '--json is one report' ./mine.so --json
bad "TAP" '--tap is one report' ./mine.so --tap
bad "in process" 'does not load again' ./mine.so --in-process
bad "nothing" 'FILE.ID' --seed 1
finish
