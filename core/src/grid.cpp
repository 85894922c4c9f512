#include <tune_gemm/grid.hpp>

namespace tune_gemm {

std::vector<GemmCandidate> enumerate_gemm_candidates() {
    std::vector<GemmCandidate> grid;
    for (const std::int64_t mc : {32, 64, 128})
        for (const std::int64_t nc : {32, 64, 128})
            for (const std::int64_t kc : {32, 64})
                for (const std::int64_t mr : {2, 4, 8})
                    for (const std::int64_t nr : {2, 4, 8})
                        for (const char* id : {"scalar", "scalar_f64", "auto"}) {
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
