// Whether a plugin file may be used, before its code is run in earnest.
#pragma once
#include "runtime/lock.hpp"
#include "runtime/registry.hpp"

#include <filesystem>
#include <vector>

namespace tune_gemm::host {

/// The rules of one command: its options, and the lock file when it asks for one.
class Judge {
  public:
    /// Throws Error (bad_input) when the lock file is missing or wrong.
    explicit Judge(const RegistryOptions&);

    /// Throws Error (bad_input) naming the path when others can write it.
    void require_trusted(const std::filesystem::path&) const;
    /// Describes the file, marking kernels that cannot run here. `trusted`: where it lies is not judged.
    /// Throws Error (bad_input) when it is no file, not trusted or not listed, (failed) as probe_plugin does.
    PluginInfo describe(const std::filesystem::path&, bool trusted = false) const;

  private:
    RegistryOptions options_;
    std::filesystem::path lock_file_;
    std::vector<LockedPlugin> locked_;
};

} // namespace tune_gemm::host
