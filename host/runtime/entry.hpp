// The one object that a plugin exports: found among a file's symbols before it is loaded, read after.
#pragma once
#include "runtime/plugin_info.hpp"

#include <tune_gemm/abi.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// Throws Error (failed) naming the path when the symbols do not have the entry of our major version: is it
/// there in another major version, or under a C++ name, or not at all?
void check_entry(const std::vector<std::string>& symbols, const std::filesystem::path&);

/// Checks magic, major version and size, and copies min(struct_size, sizeof own) bytes. Throws Error
/// (failed).
tg_plugin read_entry(const void* entry, const std::filesystem::path&);

/// Copies everything out, judging each field, with the kernels' pointers. Throws Error (failed) naming the
/// path and the field. Runs no code of the plugin.
PluginInfo describe_plugin(const tg_plugin&, const std::filesystem::path&, const std::string& sha256);

/// Calls the plugin's init, if it has one, and returns what it logged. Throws Error (failed) with the
/// plugin's own sentence when it refuses.
std::vector<std::string> initialise_plugin(const tg_plugin&, const std::filesystem::path&);

/// Where the lines go that plugins log; standard error to begin with. Returns where they went before.
int log_to(int descriptor) noexcept;

} // namespace tune_gemm::host
