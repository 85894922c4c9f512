#!/usr/bin/env bash
# Plugins of the frozen 1.0 header and of a grown one, in today's program: found, described, checked, run and tuned.
frozen=$3 grown=$4
minor=$(sed -n 's/^#define TG_ABI_MINOR \([0-9]*\)u$/\1/p' "$(dirname "$0")/../../core/include/tune_gemm/abi.h")
source "$(dirname "$0")/../cli/expect.bash"

for plugin in "$frozen:abi_frozen" "$grown:abi_grown"; do
    file=${plugin%:*} id=${plugin##*:}
    from=(--plugin-path "$file" --allow-unsafe-path)
    expect "$id: inspect" 0 "kernel $id.gemm" "$tune_gemm" inspect "$file" --allow-unsafe-path
    for kernel in tile gemm; do
        candidate=24x24x24:4x6:$id.tile:m_n_k:ab:workspace:compute
        [ $kernel = tile ] || candidate=1x1x1:1x1:$id.gemm:own:none:workspace:compute
        expect "$id.$kernel: check" 0 '0 failed' "$tune_gemm" check "$file" --allow-unsafe-path --kernel "$id.$kernel"
        expect "$id.$kernel: run" 0 'equal bit for bit' "$tune_gemm" run "${from[@]}" --shape 33x35x37 --kernel "$id.$kernel" \
            --alpha 0.5 --beta -2 --samples 1
        expect "$id.$kernel: tune" 0 '1 of 1 shapes tuned' "$tune_gemm" tune "${from[@]}" --shape 20x22x24 \
            --candidate "$candidate" --confirm 2 --out "$id.$kernel.json"
    done
done

# What a later plugin cannot do without is said of its kernel, and the others of the file work.
expect "frozen: the version is shown" 0 'interface +1\.0$' "$tune_gemm" inspect "$frozen" --allow-unsafe-path
expect "grown: the version is shown" 0 "interface +1\.$((minor + 1))\$" "$tune_gemm" inspect "$grown" --allow-unsafe-path
from=(--plugin-path "$grown" --allow-unsafe-path)
later="it is built for version 1\.$((minor + 1)) of the interface, and this program knows 1\.$minor"
unusable() { # KERNEL WHY
    expect "abi_grown.$1: listed with the reason" 0 "abi_grown.$1: $later.*$2" "$tune_gemm" list "${from[@]}"
    expect "abi_grown.$1: not run" 77 "abi_grown.$1 cannot run here: $later.*$2" "$tune_gemm" run "${from[@]}" --shape 8x8x8 \
        --kernel "abi_grown.$1"
}
unusable demand 'flags = 0x8000: 0x8000 asks for something that is not known'
unusable type 'type_acc = 100 is not a type of the interface'
unusable form 'access_a = 0x0'
unusable kind 'neither tiles nor gemm is set'
expect "grown: the whole file is checked" 0 'skipped' "$tune_gemm" check "$grown" --allow-unsafe-path --only metadata
finish
