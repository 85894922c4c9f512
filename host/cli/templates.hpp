// The files of which `tune-gemm new` makes a project: plugins/template, embedded when the program is built.
#pragma once
#include <span>
#include <string_view>

namespace tune_gemm::host {

/// In the text, @word@ stands for what depends on name, type and language.
struct Template {
    std::string_view folder; ///< "LANGUAGE_KIND", "LANGUAGE" for both kinds, or "common" for every project
    std::string_view file;   ///< "kernel.cpp" becomes NAME.cpp
    std::string_view text;
};
std::span<const Template> templates() noexcept;

} // namespace tune_gemm::host
