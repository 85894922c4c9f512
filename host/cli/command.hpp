// The subcommands of tune-gemm, one file each. Each adds itself to the command line; its callback runs the
// command and sets the exit code: 0 done, 1 tried and found wrong, 2 usage or bad input, 77 nothing could
// run, 130 interrupted.
#pragma once
#include <tune_gemm/error.hpp>

#include <CLI/CLI.hpp>

namespace tune_gemm::host {

/// What the program ends with when that is the reason.
constexpr int exit_code_of(ErrorKind kind) noexcept {
    switch (kind) {
    case ErrorKind::bad_input:
        return 2;
    case ErrorKind::unavailable:
        return 77;
    case ErrorKind::interrupted:
        return 130;
    case ErrorKind::failed:
        break;
    }
    return 1;
}

/// What is said when standard output is full or gone.
inline constexpr const char* output_lost =
    "Standard output could not be written; the result is not complete.";

void add_list_command(CLI::App&, int& exit_code);
void add_inspect_command(CLI::App&, int& exit_code);
void add_run_command(CLI::App&, int& exit_code);
void add_check_command(CLI::App&, int& exit_code);
void add_tune_command(CLI::App&, int& exit_code);
void add_env_command(CLI::App&, int& exit_code);
void add_new_command(CLI::App&, int& exit_code);
void add_profile_command(CLI::App&, int& exit_code);

} // namespace tune_gemm::host
