#!/usr/bin/env bash
# What authors of plugins get wrong: each mistake, made in the plain C plugin of tests/install, gives a sentence that says what is wrong
# and how to mend it: author_errors.bash PROGRAM SCALAR_PLUGIN TESTS_BUILD_FOLDER SOURCE_FOLDER
source "$(dirname "$0")/expect.bash"
plugins=$(realpath "$plugins") source=$4
include=-I$source/core/include
compile=(-O2 -ffp-contract=off -fPIC -fvisibility=hidden "$include")
link=(-shared -Wl,--version-script="$source/plugins/plugin.map" -Wl,-z,now -Wl,-z,noexecstack)

built() { # FILE COMMAND...: a planted plugin that does not build is a mistake in this script
    check "$1 is there to be refused" "${@:2}"
}
edited() { # SED_SCRIPT: plain.c, changed; not to change anything is a mistake in this script
    sed -E "$1" "$source/tests/install/plain.c" >edited.c
    check "$1 finds its place" bash -c '! cmp -s edited.c "$0"' "$source/tests/install/plain.c"
}
plant() { # FILE SED_SCRIPT FLAGS...
    edited "$2"
    built "$1" cc -std=c11 "${compile[@]}" "${link[@]}" "${@:3}" -o "$1" edited.c
}
refused() { # FILE SENTENCE: by inspect and check in the same words, and by list
    expect "inspect $1" 1 "^tune-gemm: $work/$1: $2$" "$tune_gemm" inspect "./$1"
    expect "check $1" 1 "^tune-gemm: $work/$1: $2$" "$tune_gemm" check "./$1"
    expect "list $1" 0 "^  $work/$1: $2$" "$tune_gemm" list --plugin-path "$work/$1"
}
fails() { # FILE CHECK SENTENCE: by that check
    expect "$2 of $1" 1 "^  $3$" "$tune_gemm" check "./$1" --only "$2"
}

# The entry symbol.
plant no_entry.so 's/const tg_plugin tune_gemm_plugin_v1/const tg_plugin my_plugin/'
refused no_entry.so 'it is no plugin: it does not export the symbol tune_gemm_plugin_v1\. If .*: include abi\.h .*version script export it\.'
link_of_before=("${link[@]}")
link=(-shared)
plant other_abi.so 's/const tg_plugin tune_gemm_plugin_v1/TG_EXPORT extern const tg_plugin tune_gemm_plugin_v2;\n&2/;s/_v12/_v2/'
refused other_abi.so 'it is a plugin for major version 2 of the interface, and this program loads version 1; build it against the headers of this version\.'
cat >mangled.cpp <<'C'
struct tg_plugin { int magic; };
namespace mine { extern const tg_plugin tune_gemm_plugin_v1; const tg_plugin tune_gemm_plugin_v1 = {1}; }
C
built mangled.so c++ -shared -fPIC -o mangled.so mangled.cpp
refused mangled.so 'it exports the C\+\+ name _ZN4mine19tune_gemm_plugin_v1E and not the symbol tune_gemm_plugin_v1; define .*outside every namespace.*extern "C"\.'
link=("${link_of_before[@]}")

# The descriptor.
plant short.so 's/struct_size = sizeof\(tg_plugin\)/struct_size = 32/'
refused short.so 'its struct_size is 32; a tg_plugin has at least [0-9]+ bytes, so write sizeof\(tg_plugin\)\.'
plant short_tile.so 's/struct_size = sizeof\(tg_tile\)/struct_size = 8/'
refused short_tile.so ".*tiles\[0\]: struct_size = 8 of the tile is smaller than the 72 bytes of the interface's first version; write its own sizeof\."
plant magic.so 's/TG_MAGIC/0x12345678u/'
refused magic.so 'its tune_gemm_plugin_v1 does not begin with the magic number 0x4d474754 but with 0x12345678: define it as a tg_plugin that begins with TG_MAGIC\.'
plant major.so 's/TG_ABI_MAJOR/7/'
refused major.so 'its abi_major is 7, and this program loads plugins of major version 1; build it against the headers of this version\.'
plant bad_id.so 's/outside\.c3x5/My Kernel/'
refused bad_id.so '.*microkernel_id "My Kernel" is not 1 to 64 of a-z, 0-9, _ and \..*'
plant twice.so 's/kernels\[\] = \{&kernel, 0\}/kernels[] = {\&kernel, \&kernel, 0}/'
refused twice.so 'two of its kernels have the microkernel_id outside\.c3x5; give each an id of its own\.'
plant unended.so 's/tiles\[\] = \{&tile, 0\}/tiles[] = {0}/'
refused unended.so '.*tiles has no entry.*'

# An id that is taken.
plant taken.so 's/outside\.c3x5/scalar/'
taken="has the microkernel_id scalar, too\. With --plugin-path the file that it names is used; where both are found in folders of plugins, neither is\."
expect "inspect says that the id is taken" 0 "^note: $plugins $taken$" "$tune_gemm" inspect ./taken.so --plugin-path "$plugins" --allow-unsafe-path
expect "check says so, too" 0 "^note: $plugins $taken$" "$tune_gemm" check ./taken.so --only metadata --plugin-path "$plugins" --allow-unsafe-path
expect "list names both files" 0 "scalar: $work/taken.so and $plugins both have the microkernel_id scalar; remove one of the files, give its kernel another id, or name the file that is meant with --plugin-path\." \
    "$tune_gemm" list --plugin-path "$work/taken.so" --plugin-path "$plugins" --allow-unsafe-path
mkdir -p "$XDG_DATA_HOME/tune_gemm/plugins"
cp taken.so "$XDG_DATA_HOME/tune_gemm/plugins/installed.so"
expect "of two files in folders neither is used" 2 "both have the microkernel_id scalar; .*, or name the file that is meant with --plugin-path\." \
    "$tune_gemm" run --shape 4x4x4 --samples 0 --kernel scalar
expect "the file that is named is" 0 "^plugin +$work/taken\.so$" "$tune_gemm" run --shape 4x4x4 --samples 0 --kernel scalar --plugin-path ./taken.so
expect "which list says of the others" 0 "^  scalar: that of .*/installed\.so gives way to $work/taken\.so, which --plugin-path names\.$" \
    "$tune_gemm" list --plugin-path ./taken.so
head -c 2000 taken.so >broken.so
expect "a file that is named and broken is not replaced by another" 2 "^tune-gemm: $work/broken\.so: .*truncated" \
    "$tune_gemm" run --shape 4x4x4 --samples 0 --kernel scalar_f32 --plugin-path ./broken.so
rm "$XDG_DATA_HOME/tune_gemm/plugins/installed.so"
plant free.so 's/outside\.c3x5/free_id/'
check "nothing is said of an id that is free" bash -c '! "$0" inspect ./free.so | grep note:' "$tune_gemm"

# The file.
edited 's/3 x 5/3 by 5/'
built object.o cc -std=c11 "${compile[@]}" -c -o object.o edited.c
refused object.o 'it is an object file, not yet linked; link it with -shared\.'
built archive.a ar rcs archive.a object.o
refused archive.a 'it is a static library; a plugin is a shared one, linked with -shared\.'
printf 'int main(void) { return 0; }\n' >program.c
built program.so cc -fPIE -pie -o program.so program.c
refused program.so 'it is a program, not a shared library; link it with -shared\.'
built fixed.so cc -fno-pie -no-pie -o fixed.so program.c
refused fixed.so 'it is a program, not a shared library; link it with -shared\.'
cp "$source/tests/install/plain.c" plain.so
refused plain.so 'it is no shared library: it does not begin as an ELF file does\.'
expect "a name without its folder" 2 'There is a file of that name; inspect and check take it as \./object\.o' "$tune_gemm" check object.o
plant relocated.so '$a __asm__(".pushsection .text\\n.balign 8\\n.quad here\\nhere: nop\\n.popsection");' -Wl,-z,notext
refused relocated.so 'its code has to be patched as it is loaded \(TEXTREL\); compile all of it with -fPIC\.'
plant stack.so 's/3 x 5/3 by 5/' -Wl,-z,execstack
refused stack.so 'it asks for an executable stack; link it with -z noexecstack \(.*\.note\.GNU-stack section\)\.'

# Libraries.
plant undefined.so 's/\(void\)kernel;/extern void nobody_has_this(void); nobody_has_this();/'
refused undefined.so "the system's loader refuses it: undefined symbol: nobody_has_this\. Link with -Wl,-z,defs, which finds that at once, and name the library that has it\."
plant undefined_cpp.so 's/\(void\)kernel;/extern void _ZN4mine4helpEv(void); _ZN4mine4helpEv();/'
refused undefined_cpp.so "the system's loader refuses it: undefined symbol: _ZN4mine4helpEv\. It belongs to C\+\+: link with c\+\+ \(g\+\+, clang\+\+\), not with cc or ld\."
echo 'void gone(void) {}' >gone.c
built libgone.so cc -shared -fPIC -o libgone.so gone.c
plant needs_gone.so 's/\(void\)kernel;/extern void gone(void); gone();/' -L. -Wl,--no-as-needed -lgone
rm libgone.so
refused needs_gone.so "the system's loader refuses it: libgone\.so: cannot open shared object file: .* Install that library, link it statically, or say where it lies with -Wl,-rpath,FOLDER\."
sed '/^static void run/i #include <string>' "$source/tests/install/twice_as_plain.cpp" |
    sed 's/^void run(.*noexcept {$/&\n    if (args->m > 1000000)\n        throw args->k;/' >cpp.cpp
built cpp.o c++ -std=c++20 "${compile[@]}" -Wno-terminate -c -o cpp.o cpp.cpp
built no_libstdcpp.so cc "${link[@]}" -o no_libstdcpp.so cpp.o
fails no_libstdcpp.so library.dependencies 'It takes (_Z|__cxa_|__gxx_)[A-Za-z0-9_]* from a library that it does not name; .* It belongs to C\+\+: link with c\+\+ \(g\+\+, clang\+\+\), not with cc or ld\..*'
link=(-shared)
plant exports.so 's/^static void run/void helper(void) {}\n&/' -fvisibility=default
fails exports.so library.exports 'It also exports helper\. .* Link with a version script: \{ global: tune_gemm_plugin_v1; local: \*; \};'
link=("${link_of_before[@]}")

# The processor.
plant unknown_feature.so 's/\.tiles = tiles/.cpu = (const char* const[]){"avx512", 0}, &/'
expect "a feature that does not exist" 77 'lacks avx512 \(not a feature that is known here(; did you mean avx512f\?)?\); use one that has it, or correct the kernel.s cpu\.' "$tune_gemm" check ./unknown_feature.so
expect "and in the list" 0 'outside\.c3x5: this processor or system lacks avx512 \(' "$tune_gemm" list --plugin-path "$work/unknown_feature.so"
expect "and in a profile, with the kernel" 77 "Kernel outside\.c3x5 cannot be used here: this processor or system lacks avx512 " "$tune_gemm" profile ./unknown_feature.so
plant wild_pointer.so 's/\.tiles = tiles/.cpu = (const char* const*)8, &/'
expect "a pointer to nowhere in the description" 1 'loading it went wrong: .*, and its description is read\.' "$tune_gemm" check ./wild_pointer.so
plant trap.so 's/\(void\)kernel;/__builtin_trap();/'
if [ "$(uname -m)" = x86_64 ]; then
    fails trap.so metadata.constant 'The worker crashed with SIGILL .*an instruction that this processor does not have.* Let cpu name the feature that it needs; then it is not used where that is missing\.'
    plant undeclared.so 's/\(void\)kernel;/__asm__ volatile("vpaddd %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");/'
    if command -v objdump >/dev/null; then
        fails undeclared.so library.instructions 'At 0x[0-9a-f]+.* it has "vpaddd .*", which needs avx2; its kernels declare none\. Declare the feature in cpu, or compile only .*'
    else
        skip "undeclared instructions: objdump is not there"
    fi
else
    skip "instructions are told apart on x86-64 only"
fi

# The kernel.
plant larger.so 's/i < args->m/i < 4/'
fails larger.so tail.residues 'Wrote 48 bytes past the end of C in the call m=1 n=1 .*: write m x n entries of C and none besides\.'
built throws.so bash -c 'sed "s/1000000/0/" cpp.cpp >throws.cpp && c++ -std=c++20 -Wno-terminate "$@" -o throws.so throws.cpp' _ "${compile[@]}" "${link[@]}"
fails throws.so metadata.constant 'The worker crashed with SIGABRT .* An exception left a function of the plugin: catch it within, for whoever calls from C cannot\.'

# A name that no record can hold.
cp free.so $'caf\xe9.so'
expect "inspect says that a name is not UTF-8" 2 'its name is not UTF-8 and cannot be recorded; rename it\.' "$tune_gemm" inspect $'./caf\xe9.so'
expect "check says so, too" 2 'its name is not UTF-8 and cannot be recorded; rename it\.' "$tune_gemm" check $'./caf\xe9.so'
expect "and run" 2 'its name is not UTF-8 and cannot be recorded; rename it\.' \
    "$tune_gemm" run --shape 4x4x4 --kernel free_id --plugin-path $'./caf\xe9.so'
finish
