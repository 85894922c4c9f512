// Who is compared: kernels of this project and other libraries, each from a plugin file and each to be run in
// a process of its own.
#pragma once
#include "runtime/registry.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune_gemm::bench {

struct Contestant {
    std::string name;  ///< the kernel's id, or of a BLAS given by path its file's name
    KernelInfo kernel; ///< without pointers
    std::filesystem::path plugin;
    std::string sha256;                 ///< of the plugin
    std::vector<std::string> said;      ///< by the plugin when it was loaded
    bool ours = false;                  ///< a tile in our driver; else a library with blocking of its own
    std::filesystem::path library;      ///< of a BLAS given by path, else empty
    std::optional<GemmCandidate> given; ///< what it is to be run with, whatever the shape
};

/// The variables that tell libraries how many threads to start, and that name a BLAS given by path, set for
/// as long as this lives, so that a process started meanwhile has them.
class ProcessEnvironment {
  public:
    ProcessEnvironment(const std::filesystem::path& library, unsigned threads);
    ~ProcessEnvironment();
    ProcessEnvironment(const ProcessEnvironment&) = delete;
    ProcessEnvironment& operator=(const ProcessEnvironment&) = delete;
};

struct ContestantOptions {
    tg_dtype dtype = TG_F64;
    unsigned threads = 1;
    std::vector<std::string> kernels;             ///< ids; empty: see choose_contestants
    std::vector<std::string> candidates;          ///< ids of candidates, each a contestant named by its id
    std::vector<std::filesystem::path> libraries; ///< --baseline
    std::filesystem::path by_path_plugin;
};

/// Our kernels first, then the baselines. Without ids of kernels or candidates: of ours those that need
/// processor features, which are the ones written for speed, or where none can be used the one with the
/// highest rank; and every usable whole-gemm kernel. Throws Error for an id that is not known, not usable or
/// of another type, and for a library that is no BLAS. `skipped` gets a sentence for each kernel of the type
/// that cannot be used.
std::vector<Contestant> choose_contestants(const host::Registry&, const ContestantOptions&,
                                           std::vector<std::string>& skipped);

} // namespace tune_gemm::bench
