#!/usr/bin/env bash
# --threads: more than the machine has are allowed, the bits stay those of the reference, and the record says how many.
source "$(dirname "$0")/expect.bash"
run=("$tune_gemm" run --plugin-path "$plugins" --allow-unsafe-path --samples 1)
candidate=48x40x32:4x4:scalar:n_k_m:ab:workspace:compute
for threads in 1 2 3 7; do
    expect "$threads threads: bit for bit" 0 'equal bit for bit' "${run[@]}" --shape 250x270x230 \
        --candidate $candidate --threads $threads
    expect "$threads threads: in JSON" 0 "\"threads\": $threads" "${run[@]}" --shape 150x170x130 \
        --candidate $candidate --threads $threads --json
done
expect "threads: shown when more than one" 0 'threads +3 at most' "${run[@]}" --shape 150x170x130 \
    --candidate $candidate --threads 3
expect "threads: batches and f32" 0 'equal bit for bit' "${run[@]}" --shape 90x90x90x5 --threads 4 \
    --candidate 48x40x32:4x4:scalar_f32:m_n_k:ab:workspace:compute
expect "threads: the limit is each one's" 0 'equal bit for bit' "${run[@]}" --shape 250x270x230 \
    --candidate 128x128x64:8x8:scalar:m_n_k:ab:workspace:compute --threads 3 --workspace-limit 262144
expect "threads: the environment's record names them" 0 'threads 3' "$tune_gemm" env --threads 3
expect "threads: none is no number of threads" 2 'threads' "${run[@]}" --shape 8x8x8 --threads 0
finish
