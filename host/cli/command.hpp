// The subcommands of tune-gemm, one file each. Each adds itself to the command line; its callback runs the
// command and sets the exit code: 0 done, 1 tried and found wrong, 2 usage or bad input, 77 nothing could
// run, 130 interrupted.
#pragma once
#include <CLI/CLI.hpp>

namespace tune_gemm::host {

void add_list_command(CLI::App&, int& exit_code);
void add_inspect_command(CLI::App&, int& exit_code);
void add_run_command(CLI::App&, int& exit_code);
void add_check_command(CLI::App&, int& exit_code);
void add_tune_command(CLI::App&, int& exit_code);
void add_env_command(CLI::App&, int& exit_code);
void add_new_command(CLI::App&, int& exit_code);

} // namespace tune_gemm::host
