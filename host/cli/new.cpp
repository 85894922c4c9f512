// tune-gemm new: a project of one's own that builds against the installed interface and passes `check` as it
// is.
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/templates.hpp"
#include "runtime/registry.hpp"
#include "store/atomic_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

struct NewOptions {
    std::string name, language = "c++", kind = "tile", out;
    tg_dtype dtype = TG_F64;
};

struct Language {
    std::string_view name, folder, extension, ci_packages;
};
constexpr Language languages[] = {{"c++", "cpp", ".cpp", "g++"},
                                  {"c", "c", ".c", "gcc libc6-dev"},
                                  {"rust", "rust", ".rs", "rustc"},
                                  {"fortran", "fortran", ".f90", "gfortran gcc libc6-dev"},
                                  {"asm", "asm", ".S", "gcc libc6-dev"}};

const Language& language_of(std::string_view name) {
    const auto* const found = std::find_if(std::begin(languages), std::end(languages),
                                           [&](const Language& one) { return one.name == name; });
    if (found == std::end(languages))
        throw_bad_input(
            fmt::format("--lang \"{}\" has no template; c++, c, rust, fortran and asm have.", name));
    return *found;
}

/// The name is a file's, a microkernel_id and, in Fortran and assembly, a part of a symbol.
void require_name(std::string_view name) {
    constexpr std::size_t longest = 40;
    const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto allowed = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
    if (name.size() <= longest && letter(name.front()) && std::all_of(name.begin(), name.end(), allowed))
        return;
    throw_bad_input(
        fmt::format("\"{}\" is no name for a kernel: a small letter, then small letters, digits and _, at "
                    "most {} in all, e.g. my_kernel.",
                    name, longest));
}

using Words = std::map<std::string_view, std::string>;

Words words_of(const NewOptions& options, const Language& language) {
    const bool f64 = options.dtype == TG_F64;
    return {{"name", options.name},
            {"dtype", f64 ? "f64" : "f32"},
            {"tg_dtype", f64 ? "TG_F64" : "TG_F32"},
            {"c_type", f64 ? "double" : "float"},
            {"f_type", f64 ? "real(c_double)" : "real(c_float)"},
            {"rust_dtype", f64 ? "F64" : "F32"},
            {"s", f64 ? "d" : "s"},           // movsd, movss
            {"shift", f64 ? "3" : "2"},       // elements to bytes
            {"beta_at", f64 ? "112" : "108"}, // behind alpha, at 104
            {"a_kernel", options.kind == "tile" ? "A register tile" : "A whole product"},
            {"source", fmt::format("{}{}", options.name, language.extension)},
            {"ci_packages", std::string(language.ci_packages)}};
}

/// The text with each @word@ replaced; an @ that encloses no word stays.
std::string filled_in(std::string_view text, const Words& words) {
    std::string filled;
    while (!text.empty()) {
        const std::size_t begin = text.find('@');
        filled += text.substr(0, begin);
        if (begin == std::string_view::npos)
            break;
        const std::size_t end = text.find('@', begin + 1);
        const auto word =
            end == std::string_view::npos ? words.end() : words.find(text.substr(begin + 1, end - begin - 1));
        filled += word == words.end() ? std::string("@") : word->second;
        text.remove_prefix(word == words.end() ? begin + 1 : end + 1);
    }
    return filled;
}

std::vector<const Template*> files_of(const Language& language, const std::string& kind) {
    const std::string folder_of_kind = fmt::format("{}_{}", language.folder, kind);
    std::vector<const Template*> files;
    for (const Template& one : templates())
        if (one.folder == folder_of_kind || one.folder == language.folder || one.folder == "common")
            files.push_back(&one);
    return files;
}

std::string file_name(const Template& one, const std::string& name) {
    constexpr std::string_view stem = "kernel.";
    return one.file.starts_with(stem) ? fmt::format("{}.{}", name, one.file.substr(stem.size()))
                                      : std::string(one.file);
}

/// Names with which the project could not be built, or its kernel not be asked for.
void require_free_name(const std::string& name, const std::vector<const Template*>& files) {
    const auto refuse = [&](const std::string& why) {
        throw_bad_input(fmt::format("\"{0}\" cannot be the name of a kernel here: {1}. Choose another, e.g. "
                                    "my_{0}.",
                                    name, why));
    };
    if (name == "auto")
        refuse("--kernel auto stands for the best kernel that is there");
    constexpr std::string_view targets[] = {"all",           "benchmark",   "clean",   "dist",
                                            "edit_cache",    "help",        "install", "preinstall",
                                            "rebuild_cache", "reconfigure", "test",    "uninstall"};
    if (std::find(std::begin(targets), std::end(targets), name) != std::end(targets))
        refuse("CMake or Meson have a target of that name of their own");
    for (const Template* one : files)
        if (one->folder != "common" && !one->file.starts_with("kernel.") &&
            one->file.substr(0, one->file.find('.')) == name)
            refuse(fmt::format("the project has a file {} besides", one->file));
}

void require_fresh_folder(const fs::path& folder) {
    std::error_code error;
    for (fs::path part = folder; !part.empty() && part != part.root_path(); part = part.parent_path())
        if (fs::is_symlink(part, error) && !fs::exists(part, error))
            throw_bad_input(
                fmt::format("{} is a link to {}, which is not there; nothing was written. Make that "
                            "folder, or name another with --out.",
                            part.string(), fs::read_symlink(part, error).string()));
    if (fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
        throw_bad_input(
            fmt::format("{} is there already and not an empty folder; nothing was written. Name another "
                        "with --out.",
                        folder.string()));
    fs::create_directories(folder, error);
    if (error)
        throw_bad_input(fmt::format("{}: the folder cannot be made: {}", folder.string(), error.message()));
}

int make_project(const NewOptions& options) {
    require_name(options.name);
    const Language& language = language_of(options.language);
    if (options.kind != "tile" && options.kind != "gemm")
        throw_bad_input(fmt::format("--kind \"{}\" is no kind of kernel; tile and gemm are.", options.kind));
    const std::vector<const Template*> files = files_of(language, options.kind);
    require_free_name(options.name, files);
    const std::vector<std::string> notes = taken_id(open_registry({}), options.name);
    const fs::path folder = options.out.empty() ? fs::path(options.name) : fs::path(options.out);
    require_fresh_folder(folder);
    const Words words = words_of(options, language);
    std::vector<std::string> written;
    for (const Template* one : files) {
        written.push_back(file_name(*one, options.name));
        write_atomically(folder / written.back(), filled_in(one->text, words));
    }
    std::sort(written.begin(), written.end());
    fmt::print("{} has {}.\n\nNext:\n  cd {}\n  make\n  make check\n", folder.string(),
               fmt::join(written, ", "), shell_word(folder.string()));
    for (const std::string& note : notes)
        fmt::print("\nnote: {}\n", note);
    return 0;
}

} // namespace

void add_new_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<NewOptions>();
    CLI::App* const command =
        app.add_subcommand("new", "Begin a kernel of your own: a project that passes check");
    command->footer(
        "Examples:\n"
        "  tune-gemm new mine                     a register tile in C++, f64, in the folder mine\n"
        "  tune-gemm new mine --lang rust         c++, c, rust, fortran or asm (x86-64)\n"
        "  tune-gemm new mine --lang c --kind gemm    a product with blocking of its own");
    command->add_option("name", options->name, "Of the kernel and of the project")->type_name("")->required();
    command->add_option("--lang", options->language, "c++, c, rust, fortran or asm")
        ->type_name("LANGUAGE")
        ->capture_default_str();
    command
        ->add_option("--kind", options->kind,
                     "tile: a register tile inside the host's loops; gemm: a whole product")
        ->type_name("KIND")
        ->capture_default_str();
    add_dtype_option(*command, options->dtype);
    command->add_option("--out", options->out, "Where to make it; default: ./NAME")->type_name("FOLDER");
    command->callback([options, &exit_code] { exit_code = make_project(*options); });
}

} // namespace tune_gemm::host
