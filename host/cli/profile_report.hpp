// What tune-gemm profile found, as text and as JSON.
#pragma once
#include "profile/inner_loop.hpp"
#include "profile/profile.hpp"
#include "runtime/plugin_info.hpp"

#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/shape.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// One tile of a kernel, or a kernel with blocking of its own.
struct ProfiledTile {
    Profile profile;
    FoundLoop inner;

    const InnerLoop* loop() const noexcept { return inner.loop ? &*inner.loop : nullptr; }
};

struct ProfiledKernel {
    KernelInfo kernel;
    PluginInfo plugin;
    GemmShape shape;
    std::vector<ProfiledTile> tiles;
    std::string no_assembly; ///< why the file was not disassembled; empty when it was
    bool free_tile = false;  ///< the tile shown is one of many that a free tile can be
};

/// With the inner loops where `assembly` is asked for.
std::string profile_text(const ProfiledKernel&, bool assembly);
json::object profiled_json(const ProfiledKernel&, bool assembly);

} // namespace tune_gemm::host
