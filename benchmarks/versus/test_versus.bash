#!/usr/bin/env bash
# The table against other libraries, on problems so small that only its form is tested.
tuner=$(realpath "$2")
set -- "$1" ""
source "$(dirname "$0")/../../tests/cli/expect.bash"
versus=$tune_gemm
PATH=$PATH:/usr/sbin:/sbin # ldconfig
blas=$(ldconfig -p | awk '/lib(openblas|blas)\.so/ { print $NF; exit }')
small=(--shape 9x11x13 --seconds 0)

expect "one kernel, a line a shape, and a mean" 0 'scalar_fma .*warm' "$versus" "${small[@]}" --shape 5x6x7x3 \
    --kernel scalar_fma --json t.json
check "JSON: schema, candidate of the model, five rounds of samples" python3 - <<'P'
import json
t = json.load(open("t.json"))
assert t["schema_version"] == "tune_gemm_versus_1" and t["dtype"] == "f64" and t["threads"] == 1
assert [s["shape"]["m"] for s in t["shapes"]] == [9, 5], "shapes in the order in which they were named"
for shape in t["shapes"]:
    (result,) = shape["results"]
    assert result["candidate_from"] == "model" and result["candidate"].endswith(":workspace:steady_state")
    assert len(result["warm"]["samples_ns"]) == shape["rounds"] >= 5 and not result["wrong"]
    assert all(float.fromhex(ns) > 0 for ns in result["warm"]["samples_ns"])
P
expect "f32" 0 'scalar_fma_f32' "$versus" "${small[@]}" --dtype f32 --kernel scalar_fma_f32
expect "cold operands, in lines of their own" 0 ' cold ' "$versus" "${small[@]}" --kernel scalar_fma --cold
expect "a candidate by its id" 0 '16x16x8:4x4:scalar_fma' "$versus" "${small[@]}" \
    --candidate 16x16x8:4x4:scalar_fma:n_k_m:ab:workspace:compute
expect "a row is measured against reading" 0 ' % r' "$versus" --shape 1x64x64 --seconds 0 --kernel scalar_fma
expect "two threads" 0 '2 threads' "$versus" "${small[@]}" --threads 2 --kernel scalar_fma
expect "scaling: a mean of the kernel's" 0 'scalar_fma, 2 threads / 1 +[0-9.]+ .least' \
    "$versus" "${small[@]}" --threads 2 --scaling --kernel scalar_fma --json scaling.json
check "one thread is sampled in every round, too, and so is the peak" python3 - <<'P'
import json
(shape,) = json.load(open("scaling.json"))["shapes"]
(result,) = shape["results"]
assert len(result["warm_with_one_thread"]["samples_ns"]) == len(result["warm"]["samples_ns"]) == shape["rounds"]
assert len(shape["peaks"]) == len(shape["peaks_with_one_thread"])
assert all(len(peak["samples"]) == shape["rounds"] for peak in shape["peaks_with_one_thread"])
P
expect "one thread is not compared with one" 2 'scaling.*--threads is 1.*--threads 2' "$versus" "${small[@]}" --scaling \
    --kernel scalar_fma
cat >set.json <<'J'
{"schema_version":"mmkts_1","seed":"42","shapes":[{"m":4,"n":5,"k":6,"batch":2,"reuse_count":1,"layout_a":"column_major","layout_b":"row_major","layout_c":"column_major"}],"candidates":[],"max_workspace_bytes":"262144","exploration_samples":1,"confirmation_samples":2}
J
expect "a problem set, its layouts kept" 0 '4x5x6x2 +crc' "$versus" set.json --seconds 0 --kernel scalar_fma
check "something to be taken from a tuning run" "$tuner" tune --shape 9x11x13 --kernel scalar_fma --quiet \
    --candidate 18x11x13:3x11:scalar_fma:n_k_m:ab:workspace:compute --budget 20 --confirm 2 --out tuned.json
expect "a tuned candidate, where it holds" 0 '' "$versus" "${small[@]}" --shape 9x11x14 --kernel scalar_fma \
    --tuned tuned.json --json tuned_table.json
check "at the tuned shape the tuned one, elsewhere the model's" python3 - <<'P'
import json
tuned, other = (s["results"][0] for s in json.load(open("tuned_table.json"))["shapes"])
assert tuned["candidate_from"] == "tuned" and tuned["candidate"].startswith("18x11x13:3x11:scalar_fma"), tuned
assert other["candidate_from"] == "model", other
P
sed 's/"toolchain": *"[^"]*"/"toolchain":"another"/' tuned.json >elsewhere.json
expect "what was tuned elsewhere is refused, with the field" 2 'elsewhere.*toolchain was "another"' "$versus" \
    "${small[@]}" --kernel scalar_fma --tuned elsewhere.json
expect "a configuration without results is none" 2 'holds no results' "$versus" "${small[@]}" --kernel scalar_fma \
    --tuned set.json
if [ -n "$blas" ]; then
    for dtype in f64 f32; do
        kernel=scalar_fma
        [ $dtype = f64 ] || kernel=scalar_fma_f32
        for layouts in rrr ccc rcr ccr crc; do
            expect "a BLAS by path, $dtype, $layouts" 0 "best of all +[0-9.]+ \\(least .*1 shapes" "$versus" "${small[@]}" \
                --layouts $layouts --dtype $dtype --kernel $kernel --baseline "$blas"
        done
    done
else
    echo "NOT RUN: a BLAS by path; the system's loader knows none"
fi

cat >c_interface.c <<'C'
/* The C interface and nothing else, by columns. */
void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda, const double *b,
                 int ldb, double beta, double *c, int ldc) {
    for (int j = 0; order == 102 && j < n; ++j)
        for (int i = 0; i < m; ++i) {
            double sum = 0;
            for (int l = 0; l < k; ++l)
                sum += (ta == 112 ? a[i * lda + l] : a[l * lda + i]) * (tb == 112 ? b[l * ldb + j] : b[j * ldb + l]);
            c[j * ldc + i] = alpha * sum + (beta == 0 ? 0 : beta * c[j * ldc + i]);
        }
}
/* As OpenBLAS has it. */
#ifndef CORE
#define CORE "Prescott"
#endif
const char *openblas_get_corename(void) { return CORE; }
C
if command -v cc >/dev/null; then
    cc -shared -fPIC -O1 -o c_interface.so c_interface.c
    for layouts in rrr ccc rcr; do
        expect "a BLAS by path that has the C interface only, $layouts" 0 "best of all +[0-9.]+ \\(least .*1 shapes" \
            "$versus" "${small[@]}" --layouts $layouts --kernel scalar_fma --baseline ./c_interface.so
    done
    expect "the core that it chose is told" 0 '^c_interface\.so: .*/c_interface\.so; kernels for Prescott$' \
        "$versus" "${small[@]}" --kernel scalar_fma --baseline ./c_interface.so --json core.json
    expect "and recorded" 0 'kernels for Prescott' cat core.json
    if grep -qw avx2 /proc/cpuinfo; then
        expect "one that leaves vector units idle is warned of" 0 \
            '^c_interface\.so: warning: it computes with kernels for Prescott, which do not use the AVX.* Set OPENBLAS_CORETYPE=' \
            "$versus" "${small[@]}" --kernel scalar_fma --baseline ./c_interface.so
    fi
    cc -shared -fPIC -O1 -DCORE='"SAPPHIRERAPIDS"' -o capitals.so c_interface.c
    expect "a wide core is not warned of, though it is named in capitals" 0 '^capitals\.so: .*; kernels for SAPPHIRERAPIDS$' \
        "$versus" "${small[@]}" --kernel scalar_fma --baseline ./capitals.so
    check "indeed not" bash -c '! grep -q warning "$0"' "$work/out"
    expect "which has no f32" 2 'neither sgemm_ nor cblas_sgemm' "$versus" "${small[@]}" --dtype f32 \
        --kernel scalar_fma_f32 --baseline ./c_interface.so
else
    echo "NOT RUN: a BLAS with the C interface only; there is no cc"
fi

expect "the limit of the workspace is a thread's" 0 'warm +[0-9.]+' "$versus" --shape 300x300x300 --seconds 0 --threads 8 \
    --kernel scalar_fma --json limit.json
check "so that eight threads are measured, too" python3 - <<'P'
import json
(shape,) = json.load(open("limit.json"))["shapes"]
assert shape["results"][0]["warm"]["samples_ns"], shape["results"][0]
P
sed 's/"shapes":\[.*\],"candidates"/"shapes":[],"candidates"/' set.json >none.json
expect "a file without shapes" 2 'none\.json has no shapes' "$versus" none.json --seconds 0 --kernel scalar_fma
expect "a baseline without a name" 2 'baseline: the path is empty' "$versus" "${small[@]}" --baseline ''
expect "a baseline that is not there" 2 'nowhere\.so.*no such file' "$versus" "${small[@]}" --baseline nowhere.so
expect "a baseline that is no BLAS" 1 'none of dgemm_, sgemm_, cblas_dgemm and cblas_sgemm, so it is no BLAS' "$versus" "${small[@]}" --kernel scalar_fma \
    --baseline "$(ldconfig -p | awk '/libm\.so\.6/ { print $NF; exit }')"
expect "a kernel of another type" 2 'scalar_fma.*f64.*f32' "$versus" "${small[@]}" --dtype f32 --kernel scalar_fma
expect "a kernel that is not known" 2 'scalar_fmb' "$versus" "${small[@]}" --kernel scalar_fmb
expect "a type that is not served" 2 'i8' "$versus" "${small[@]}" --dtype i8
expect "a shape that is none" 2 '9x11' "$versus" --shape 9x11
expect "a candidate that does not suit" 0 'absent at 9x11x13.*mr' "$versus" "${small[@]}" \
    --candidate 16x16x8:4x4:scalar_fma:n_k_m:ab:workspace:compute --candidate 16x16x8:17x4:scalar_fma:n_k_m:ab:workspace:compute
expect "output that cannot be written, said before anything is measured" 2 'nowhere' "$versus" "${small[@]}" \
    --json nowhere/t.json
finish
