// Whose hands a plugin has been through. Loading a library is running its code with the user's rights, so
// nobody else may have been able to put it there.
#pragma once
#include <filesystem>
#include <string>

namespace tune_gemm::host {

/// Why a file or folder is not to be trusted, as a sentence that names the path at fault, its mode or owner,
/// and how to go on; empty when it is. At fault is a path (itself, what its links lead to, or a folder above)
/// that belongs to somebody other than this user or root, or that its group or everybody can write; a folder
/// with the sticky bit (as /tmp) may be written, for there nobody can replace the files of others. Throws
/// Error (bad_input) when the path cannot be looked at.
std::string distrust(const std::filesystem::path&);

} // namespace tune_gemm::host
