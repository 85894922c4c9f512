#include <tune_gemm/error.hpp>
#include <tune_gemm/grid.hpp>

#include <fmt/format.h>

namespace tune_gemm {
namespace {

std::vector<const char*> ids_of(tg_dtype dtype) {
    if (dtype == TG_F64)
        return {"scalar", "scalar_f64", "auto"};
    if (dtype == TG_F32)
        return {"scalar_f32", "auto"};
    throw_bad_input(fmt::format("There is no default grid for {}; there is one for f64 and one for f32.",
                                dtype_text(dtype)));
}

} // namespace

std::vector<GemmCandidate> enumerate_gemm_candidates(tg_dtype dtype) {
    const std::vector<const char*> ids = ids_of(dtype);
    std::vector<GemmCandidate> grid;
    for (const std::int64_t mc : {32, 64, 128})
        for (const std::int64_t nc : {32, 64, 128})
            for (const std::int64_t kc : {32, 64})
                for (const std::int64_t mr : {2, 4, 8})
                    for (const std::int64_t nr : {2, 4, 8})
                        for (const char* id : ids) {
                            grid.push_back({.mc = mc,
                                            .nc = nc,
                                            .kc = kc,
                                            .mr = mr,
                                            .nr = nr,
                                            .packing = Packing::ab,
                                            .loop_order = LoopOrder::m_n_k,
                                            .microkernel_id = id,
                                            .allocation_mode = AllocationMode::workspace,
                                            .timing_scope = {}});
                        }
    return grid;
}

} // namespace tune_gemm
