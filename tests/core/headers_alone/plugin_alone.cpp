// plugin.hpp, first and alone: its templates compile for both types that they are meant for.
#include <tune_gemm/plugin.hpp>

template void tune_gemm::plugin::portable_tile<double>(const tg_tile_args&) noexcept;
template void tune_gemm::plugin::portable_tile<float>(const tg_tile_args&) noexcept;
static_assert(tune_gemm::plugin::dtype_of<float> == TG_F32 && tune_gemm::plugin::dtype_of<double> == TG_F64);
