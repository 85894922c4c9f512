// What a shared library offers to others and takes from them, as its file says.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tune_gemm::host {

struct DynamicSymbol {
    enum class Binding : std::uint8_t { global, weak, unique };
    std::string name;
    Binding binding = Binding::global;
    bool defined = false; ///< offered; else taken from another library
};

struct DynamicTables {
    std::vector<DynamicSymbol> symbols;
    std::vector<std::string> needed; ///< names of libraries (DT_NEEDED)
};

/// Runs nothing of the file, which check_library_file has accepted. Throws Error (failed) naming the path.
DynamicTables read_dynamic_tables(const std::filesystem::path&);

} // namespace tune_gemm::host
