// Files that are either the old ones or the new ones, never something between.
#pragma once
#include <filesystem>
#include <string_view>

namespace tune_gemm::host {

/// Throws Error (bad_input) when a file could not be written at `path`: its folder is missing or no folder or
/// lets nothing be created, the disk is full, the path is a folder, or a file is there that is read-only.
/// Leaves nothing behind and does not touch a file that is there. Called before anything is measured.
void check_writable(const std::filesystem::path& path);

/// Writes a file beside `path`, syncs it, renames it over `path` (through a symbolic link: over what it leads
/// to) and syncs the folder. Throws Error (failed) naming path and reason; then the old file is as it was. A
/// device or pipe is written directly.
void write_atomically(const std::filesystem::path& path, std::string_view bytes);

} // namespace tune_gemm::host
