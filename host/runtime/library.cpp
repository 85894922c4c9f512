#define BOOST_DLL_USE_STD_FS // paths are std::filesystem's
#include "runtime/library.hpp"

#include <tune_gemm/error.hpp>

#include <boost/dll/library_info.hpp>
#include <boost/dll/shared_library.hpp>
#include <fmt/format.h>

#include <deque>
#include <string_view>

namespace tune_gemm::host {
namespace {

/// What dlerror said, out of Boost's wrapping; "/x/y.so: " at its beginning is left out, for our sentence
/// says it too.
std::string loader_words(std::string_view what, const std::string& path) {
    constexpr std::string_view mark = "dlerror system message: ";
    if (const std::size_t at = what.find(mark); at != std::string_view::npos) {
        what.remove_prefix(at + mark.size());
        if (const std::size_t end = what.rfind(')'); end != std::string_view::npos)
            what = what.substr(0, end);
    }
    if (what.starts_with(path + ": "))
        what.remove_prefix(path.size() + 2);
    return std::string(what);
}

/// How to mend what the loader complains of; "" where that is not known.
std::string loader_hint(std::string_view words) {
    constexpr std::string_view undefined = "undefined symbol: ";
    if (const std::size_t at = words.find(undefined); at != std::string_view::npos)
        return is_cpp_symbol(words.substr(at + undefined.size()))
                   ? " It belongs to C++: link with c++ (g++, clang++), not with cc or ld."
                   : " Link with -Wl,-z,defs, which finds that at once, and name the library that has it.";
    if (words.find("cannot open shared object file") != std::string_view::npos)
        return " Install that library, link it statically, or say where it lies with -Wl,-rpath,FOLDER.";
    return {};
}

[[noreturn]] void fail_loading(const std::filesystem::path& path, const std::exception& problem) {
    const std::string words = loader_words(problem.what(), path.string());
    throw Error(ErrorKind::failed, fmt::format("{}: the system's loader refuses it: {}.{}", path.string(),
                                               words, loader_hint(words)));
}

} // namespace

bool is_cpp_symbol(std::string_view name) noexcept {
    return name.starts_with("_Z") || name.starts_with("__cxa_") || name.starts_with("__gxx_");
}

std::vector<std::string> exported_symbols(const std::filesystem::path& path) {
    try {
        return boost::dll::library_info(path).symbols();
    } catch (const std::exception& problem) {
        throw Error(ErrorKind::failed,
                    fmt::format("{}: its symbol table cannot be read ({}).", path.string(), problem.what()));
    }
}

const void* load_symbol(const std::filesystem::path& path, const char* symbol) {
    // Kept where nothing is ever destroyed: libraries are not unloaded, least of all at the end of the
    // program.
    static auto& kept = *new std::deque<LoadedLibrary>;
    return kept.emplace_back(path).symbol(symbol);
}

struct LoadedLibrary::State {
    std::filesystem::path path;
    boost::dll::shared_library library;
};

LoadedLibrary::LoadedLibrary(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
    using boost::dll::load_mode::rtld_local;
    using boost::dll::load_mode::rtld_now;
    state_->path = path;
    try {
        state_->library.load(path, rtld_now | rtld_local);
    } catch (const std::exception& problem) {
        fail_loading(path, problem);
    }
}

LoadedLibrary::~LoadedLibrary() = default;

const void* LoadedLibrary::symbol(const char* name) const {
    try {
        return &state_->library.get<const char>(name);
    } catch (const std::exception& problem) {
        fail_loading(state_->path, problem);
    }
}

bool loaded_library_offers(const std::string& name, const std::string& symbol) {
    using namespace boost::dll::load_mode;
    std::error_code error;
    // Asked for by its bare name, the system's loader gives the one that is loaded already.
    const boost::dll::shared_library library(name, error, rtld_now | rtld_local | search_system_folders);
    return !error && library.has(symbol);
}

} // namespace tune_gemm::host
