// What a plugin file holds, copied out of it: everything that can be known without running a kernel.
#pragma once
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/json.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// What a plugin says of itself is printable ASCII; only the path may be more.
struct PluginInfo {
    std::filesystem::path path; ///< absolute, links resolved
    std::string sha256;         ///< of the file, 64 hexadecimal digits
    std::string name, version, vendor, license;
    std::uint32_t abi_major = 0, abi_minor = 0;
    /// What its init logged: of a library that it wraps, say, the version and the kernels that it chose here.
    std::vector<std::string> said;
    std::vector<KernelInfo> kernels; ///< without pointers; loop_identity is "SHA256:index", origin the path
};

/// Those of the lines that begin with "warning: ", without that.
std::vector<std::string> warnings_of(const PluginInfo&);

json::value plugin_json(const PluginInfo&);
PluginInfo parse_plugin(const json::Field&);

} // namespace tune_gemm::host
