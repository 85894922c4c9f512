// Shared libraries: what they export, and loading them. The one place that uses Boost.DLL.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm::host {

/// The symbols that the file exports, read from its tables without running any of it. For files that
/// check_library_file has accepted. Throws Error (failed) naming the path.
std::vector<std::string> exported_symbols(const std::filesystem::path&);

/// A name that C++ compilers make, of a function of one's own or of the language's library.
bool is_cpp_symbol(std::string_view name) noexcept;

/// Loads the file, all symbols bound at once and none offered to other libraries, and never unloads it: gives
/// the address of `symbol`. Throws Error (failed) naming the path with the loader's own words. [one thread at
/// a time]
const void* load_symbol(const std::filesystem::path&, const char* symbol);

/// A library that is loaded as by load_symbol, and unloaded at the end of the scope: for finding out what
/// loading and unloading do. Nothing that was in it may be used after.
class LoadedLibrary {
  public:
    /// Throws Error (failed) as load_symbol does.
    explicit LoadedLibrary(const std::filesystem::path&);
    ~LoadedLibrary();
    LoadedLibrary(const LoadedLibrary&) = delete;
    LoadedLibrary& operator=(const LoadedLibrary&) = delete;
    const void* symbol(const char*) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Whether the library of that name ("libm.so.6"), or one of those that it needs itself, has the symbol. For
/// libraries that are loaded in this process.
bool loaded_library_offers(const std::string& name, const std::string& symbol);

} // namespace tune_gemm::host
