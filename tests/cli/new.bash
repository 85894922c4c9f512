#!/usr/bin/env bash
# tune-gemm new: names with which a project could not work are refused before anything is written, and no name overwrites a file of the
# project's own: new.bash PROGRAM SCALAR_PLUGIN
source "$(dirname "$0")/expect.bash"
refused() { # NAME SENTENCE OPTIONS...
    expect "new $*" 2 "^tune-gemm: \"$1\" cannot be the name of a kernel here: $2\. Choose another, e\.g\. my_$1\.$" "$tune_gemm" new "$1" "${@:3}"
    check "nothing was written" test ! -e "$1"
}
refused auto '--kernel auto stands for the best kernel that is there'
for name in all benchmark clean dist edit_cache help install preinstall rebuild_cache reconfigure test uninstall; do
    refused $name 'CMake or Meson have a target of that name of their own'
done
for kind in tile gemm; do
    refused abi 'the project has a file abi\.rs besides' --lang rust --kind $kind
    refused plugin 'the project has a file plugin\.c besides' --lang fortran --kind $kind
    refused plugin 'the project has a file plugin\.c besides' --lang asm --kind $kind
done

# Whatever file the templates have: a kernel of its name is refused, or makes a project that has as many files as any other.
for language in c++ c rust fortran asm; do
    for kind in tile gemm; do
        "$tune_gemm" new plain --lang $language --kind $kind >plain.out || exit 1
        for file in plain/*; do
            name=$(basename "${file%%.*}" | tr 'A-Z' 'a-z')
            [ "$name" = plain ] && continue
            if "$tune_gemm" new "$name" --lang $language --kind $kind >new.out 2>&1; then
                check "$name in $language has all its files" test "$(ls "$name" | wc -l)" -eq "$(ls plain | wc -l)"
            else
                check "$name in $language is refused with a reason" grep -q 'cannot be the name' new.out
            fi
            rm -rf "$name"
        done
        rm -rf plain
    done
done

# A comment of the assembler begins as a directive of the preprocessor does.
if [ "$(uname -m)" = x86_64 ]; then
    for name in define elif else endif error if ifdef include line pragma undef warning; do
        for kind in tile gemm; do
            "$tune_gemm" new $name --lang asm --kind $kind --out words >new.out || exit 1
            check "$name is no word of the preprocessor's in a $kind" cc -c -o word.o words/$name.S
            rm -rf words
        done
    done
else
    skip "the asm template is for x86-64, this is $(uname -m)"
fi

# An id that is taken can be worked on, but not be installed beside the other.
expect "the id of a kernel that is there" 0 '^note: .*\.so has the microkernel_id scalar, too\. With --plugin-path the file that it names is used; .*' \
    "$tune_gemm" new scalar
check "the project is there all the same" test -s scalar/scalar.cpp
expect "an id that is free" 0 '' "$tune_gemm" new mine
check "has no note" bash -c '! grep note: "$0"' "$work/out"

# Where the project goes.
ln -s nowhere link
expect "a link to nothing" 2 '^tune-gemm: link is a link to nowhere, which is not there; nothing was written\. Make that folder, or name another with --out\.$' \
    "$tune_gemm" new mine --out link
expect "and below it" 2 '^tune-gemm: link is a link to nowhere, which is not there; nothing was written\.' "$tune_gemm" new mine --out link/below/
check "the link is as it was" test "$(readlink link)" = nowhere -a ! -e nowhere
mkdir nowhere
expect "a link to a folder" 0 'make check' "$tune_gemm" new mine --out link
check "which has the project then" test -s nowhere/mine.cpp
expect "a folder that is in use" 2 'nowhere is there already and not an empty folder' "$tune_gemm" new mine --out nowhere
expect "a folder below a file" 2 'the folder cannot be made: Not a directory' "$tune_gemm" new mine --out nowhere/mine.cpp/below
finish
