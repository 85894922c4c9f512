// abi.h, first and alone, in C++.
#include <tune_gemm/abi.h>

constinit const tg_plugin tune_gemm_plugin_v1 = {.magic = TG_MAGIC,
                                                 .struct_size = sizeof(tg_plugin),
                                                 .abi_major = TG_ABI_MAJOR,
                                                 .abi_minor = TG_ABI_MINOR,
                                                 .name = "alone",
                                                 .version = nullptr,
                                                 .vendor = nullptr,
                                                 .license = nullptr,
                                                 .kernels = nullptr,
                                                 .init = nullptr,
                                                 .deinit = nullptr};
