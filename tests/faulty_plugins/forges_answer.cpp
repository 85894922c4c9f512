// Fault: writes an answer that says "pass" where it takes the worker's channel to be, and ends the process
// with success. (The channel is the socket among the descriptors; the request's number can only be guessed.)
// Caught by: result.integers (crash)
#include "faulty.hpp"

#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace {

void run(const tg_kernel*, const tg_tile_args*) noexcept {
    for (int descriptor = 3; descriptor < 16; ++descriptor) {
        struct stat found {};
        if (::fstat(descriptor, &found) != 0 || !S_ISSOCK(found.st_mode))
            continue;
        const char* const forged =
            "{\"number\":1,\"value\":{\"status\":\"pass\",\"sentence\":\"\",\"cases\":1000}}\n";
        if (::write(descriptor, forged, std::strlen(forged)) > 0)
            ::_exit(0);
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.forges_answer", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("forges_answer", kernels);
