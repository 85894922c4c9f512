// Of the next major version of the interface: its symbol says so.
#include "sound.hpp"

extern "C" TG_EXPORT const tg_plugin tune_gemm_plugin_v2;
constinit const tg_plugin tune_gemm_plugin_v2 = sound::make_plugin(nullptr);
