// The tests of JSON, configurations and environments. With TUNE_GEMM_COMMA_LOCALE set they run where the
// decimal point is a comma, which must change nothing; exits with 77 when no such locale can be had.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

#include <unistd.h>

namespace {

/// Sets the locale for C and C++ alike and looks whether the point is a comma now.
bool use_comma_locale(const char* name) {
    try {
        std::locale::global(std::locale(name));
    } catch (const std::runtime_error&) {
        return false;
    }
    return std::string(std::localeconv()->decimal_point) == ",";
}

bool use_any_comma_locale() {
    for (const char* const name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pl_PL.UTF-8"}) {
        if (use_comma_locale(name))
            return true;
    }
    // Systems that have none installed may still be able to make one.
    const auto folder =
        std::filesystem::temp_directory_path() / ("tune_gemm_locale_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string make =
        "localedef -i de_DE -f UTF-8 '" + (folder / "de_DE.UTF-8").string() + "' >/dev/null 2>&1";
    setenv("LOCPATH", folder.c_str(), 1);
    const bool used = std::system(make.c_str()) == 0 && use_comma_locale("de_DE.UTF-8");
    std::filesystem::remove_all(folder);
    return used;
}

} // namespace

int main(int argc, char** argv) {
    if (std::getenv("TUNE_GEMM_COMMA_LOCALE") != nullptr && !use_any_comma_locale()) {
        std::fputs("no locale with a decimal comma is installed, and localedef could make none\n", stderr);
        return 77;
    }
    return doctest::Context(argc, argv).run();
}
