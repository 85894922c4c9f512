// Defines its object inside a namespace, where it has a C++ name.
#include "sound.hpp"

namespace mine {
TG_EXPORT extern const tg_plugin tune_gemm_plugin_v1;
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(nullptr);
} // namespace mine
