#include "runtime/probe.hpp"

#include "runtime/entry.hpp"
#include "runtime/file_check.hpp"
#include "runtime/library.hpp"
#include "runtime/probe_cache.hpp"
#include "runtime/sha256.hpp"
#include "worker/process.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <csignal>
#include <string_view>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

/// Address space for constructors and init; some mature libraries reserve hundreds of MiB a processor.
constexpr std::int64_t memory_limit = std::int64_t{8} << 30;

/// The beginning of what was printed, as a part of a sentence.
std::string quoted_output(std::string_view output) {
    constexpr std::size_t shown = 200;
    const std::size_t start = output.find_first_not_of("\n\t ");
    if (start == std::string_view::npos)
        return {};
    output.remove_prefix(start);
    std::string text(output.substr(0, shown));
    for (char& c : text)
        c = c == '\n' || c == '\t' ? ' ' : c;
    text.erase(text.find_last_not_of(' ') + 1);
    return fmt::format(" It printed: \"{}{}\".", text, output.size() > shown ? "..." : "");
}

std::string hint(const WorkerFailure& failure) {
    if (failure.kind == WorkerFailure::Kind::crashed && failure.code == SIGILL)
        return " Was the whole file compiled for a newer processor? Only the kernel's own source may be.";
    return {};
}

PluginInfo ask_plugin(const fs::path& path, std::chrono::milliseconds deadline) {
    WorkerLimits limits;
    limits.memory_bytes = memory_limit;
    const WorkerAnswer answer =
        call_once("describe", json::object{{"path", path.string()}}, deadline, limits);
    if (answer.failure)
        throw Error(
            ErrorKind::failed,
            fmt::format(
                "{}: loading it went wrong: the process {}. Its constructors and its init run at that "
                "moment, and its description is read.{}{}",
                path.string(), answer.failure->sentence, hint(*answer.failure),
                quoted_output(answer.failure->output)));
    return parse_plugin(json::Field(*answer.value, path.string()));
}

void check_name(const fs::path& path) {
    const json::value name(path.string());
    if (json::read(json::write(name), "the name") != name) // what is not UTF-8 comes back as something else
        throw_bad_input(
            fmt::format("{}: its name is not UTF-8 and cannot be recorded; rename it.", path.string()));
}

} // namespace

PluginInfo probe_plugin(const fs::path& given, std::chrono::milliseconds deadline) {
    identify_file(given);
    const fs::path path = fs::canonical(given);
    check_name(path);
    check_library_file(path);
    check_entry(exported_symbols(path), path);
    const std::string sha256 = sha256_file(path);
    if (auto known = read_probe_cache(sha256, path))
        return std::move(*known);
    PluginInfo info = ask_plugin(path, deadline);
    if (info.sha256 != sha256)
        throw Error(
            ErrorKind::failed,
            fmt::format("{}: the file has changed while it was looked at; start again.", path.string()));
    if (info.said.empty()) // what a plugin says may be otherwise tomorrow: a variable, another library
        write_probe_cache(info);
    return info;
}

} // namespace tune_gemm::host
