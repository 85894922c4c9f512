#!/usr/bin/env bash
# The man page lists every command, and of each the options that --help prints, with the same words for their values:
# man_page.bash PROGRAM SCALAR_PLUGIN TESTS_BUILD_FOLDER SOURCE_FOLDER
source "$(dirname "$0")/expect.bash"
page=$4/docs/man/tune-gemm.1.in

commands_of_help() {
    "$tune_gemm" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort
}
commands_of_page() {
    sed -nE 's/^\.SS "?tune-gemm ([a-z]+).*/\1/p' "$page" | sort
}
# "--shape MxNxK[xBATCH]", one a line. Behind ":" and " [" are the values that are allowed and the default.
options_of_help() { # COMMAND
    "$tune_gemm" "$1" --help | sed -nE 's/^ +(-[a-z],)?(--[a-z-]+)(( [^][ :=]+(\[x?BATCH\])?)?)([ :=].*)?$/\2\3/p' |
        sed -E 's/ (REQUIRED|Excludes)$//' | grep -v -e '^--help' | sort
}
section() { # TITLE
    awk -v title="$1" '/^\.S[SH]/ { inside = index($0, title) } inside' "$page"
}
listed() { # the tags of paragraphs
    awk 'tag; { tag = /^\.TP/ }' |
        sed -nE 's/^\.BI? (\\-\\-[a-z\\-]+)( "([^"]*)")?$/\1\3/p' | sed 's/\\-/-/g'
}
options_of_page() { # COMMAND
    {
        section "tune-gemm $1" | listed
        if section "tune-gemm $1" | grep -q '"plugin options"'; then section 'Plugin options' | listed; fi
    } | sort
}
same() { # FILE FILE: shows the difference
    diff "$1" "$2"
}

commands_of_help >help
commands_of_page >page
check "there are commands" test -s help
check "every command has its section, and no other" same help page
one_blank_line() { # COMMAND: between the parts of its help, each of which has a title
    "$tune_gemm" "$1" --help | awk '!NF && blank || /^[^ ].*:$/ && !blank || /^\[/ || /--help/ && help++ { exit 1 } { blank = !NF }'
}
for command in $(cat help); do
    check "one blank line between the parts of the help of $command" one_blank_line "$command"
    options_of_help "$command" >help_options
    options_of_page "$command" >page_options
    check "$command has options" test -s help_options
    check "every option of $command is listed, and no other" same help_options page_options
done
options=$("$tune_gemm" check --help | grep -c -- '^ *--')
check "no option of check escapes this test" test "$options" -eq "$(options_of_help check | wc -l)"
if command -v mandoc >/dev/null; then
    mandoc -Tlint "$page" >warnings 2>&1
    check "mandoc finds nothing to warn of" test ! -s warnings
else
    skip "what mandoc says of the page: it is not there"
fi
if command -v man >/dev/null && man --warnings -l "$page" >/dev/null 2>&1; then
    man --warnings -l "$page" >shown 2>warnings
    check "man finds nothing to warn of" test ! -s warnings
    check "and shows it" grep -q 'tune-gemm check FILE|ID' shown
elif command -v groff >/dev/null; then
    groff -ww -b -man -Tutf8 "$page" >shown 2>warnings
    check "groff finds nothing to warn of" test ! -s warnings
else
    skip "the page's form: neither man nor groff is there"
fi
finish
