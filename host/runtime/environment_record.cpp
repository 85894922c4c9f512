#include "runtime/environment_record.hpp"

#include "build_info.hpp"
#include "runtime/cpu.hpp"
#include "store/text_file.hpp"

#include <tune_gemm/abi.h>
#include <tune_gemm/error.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <sstream>
#include <thread>

#include <sched.h>
#include <sys/random.h>
#include <sys/utsname.h>

namespace tune_gemm::host {
namespace {

std::string or_unknown(std::string text) {
    return text.empty() ? "unknown" : text;
}

/// Everything by which results depend on the processor, on one line; unlike the brand it is never a marketing
/// name.
std::string cpu_text(const CpuInfo& cpu) {
    std::vector<std::string> caches;
    for (const Cache& cache : cpu.caches)
        caches.push_back(cache_text(cache));
    return fmt::format("{} family {} model {} stepping {}; {}; {}", or_unknown(cpu.vendor), cpu.family,
                       cpu.model, cpu.stepping, or_unknown(fmt::format("{}", fmt::join(caches, ", "))),
                       or_unknown(fmt::format("{}", fmt::join(cpu.features, " "))));
}

/// Text after "KEY<tab>:" in /proc/cpuinfo.
std::string cpuinfo_value(std::string_view key) {
    std::istringstream lines(read_text_or_empty("/proc/cpuinfo"));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with(key) && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return {};
}

std::string hypervisor_text() {
    if (std::string type = read_text_or_empty("/sys/hypervisor/type"); !type.empty())
        return type;
    // The flag is there in every virtual machine that does not hide itself.
    const std::string flags = " " + cpuinfo_value("flags") + " ";
    if (flags == "  ")
        return "unknown";
    if (flags.find(" hypervisor ") == std::string::npos)
        return "none";
    const std::string product = read_text_or_empty("/sys/class/dmi/id/product_name");
    return product.empty() ? "present" : "present (" + product + ")";
}

std::string clock_text() {
    const std::string source =
        read_text_or_empty("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    return fmt::format("CLOCK_MONOTONIC, {}", or_unknown(source));
}

std::string runtime_text(std::string_view plugin_sha256) {
    if (plugin_sha256.empty())
        return fmt::format("tune_gemm {}", TUNE_GEMM_VERSION);
    return fmt::format("tune_gemm {}, plugin {}", TUNE_GEMM_VERSION, plugin_sha256);
}

} // namespace

std::string_view library_version() noexcept {
    return TUNE_GEMM_VERSION;
}

int allowed_processors() noexcept {
    // Machines with more processors than a cpu_set_t holds are asked with a larger set.
    for (int most = CPU_SETSIZE; most <= 1 << 20; most *= 4) {
        cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(most));
        if (set == nullptr)
            break;
        const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
        const int result = sched_getaffinity(0, bytes, set);
        const int count = result == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return count;
        if (errno != EINVAL)
            break;
    }
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string utc_time() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string new_run_id() {
    std::uint64_t id = 0;
    if (getrandom(&id, sizeof id, 0) != static_cast<ssize_t>(sizeof id))
        throw Error(ErrorKind::failed,
                    fmt::format("the system gives no random bytes for a run id: {}", std::strerror(errno)));
    return fmt::format("{:016x}", id);
}

EnvironmentRecord collect_environment(std::string_view plugin_sha256, int threads,
                                      const std::vector<std::string>& said) {
    utsname system{};
    uname(&system);
    EnvironmentRecord record;
    record.environment = {
        .target = TUNE_GEMM_TARGET,
        .toolchain = TUNE_GEMM_TOOLCHAIN,
        .compiler_flags = TUNE_GEMM_COMPILER_FLAGS,
        .dtype_abi = fmt::format("f32 f64, plugin ABI {}.{}", TG_ABI_MAJOR, TG_ABI_MINOR),
        .runtime = runtime_text(plugin_sha256),
        .cpu = cpu_text(cpu_info()),
        .gc = "none",
        .concurrency = fmt::format("threads {}, processors {}", threads, allowed_processors()),
        .clock = clock_text(),
    };
    record.explanation = {
        .kernel = or_unknown(fmt::format("{} {}", system.sysname, system.release)),
        .microcode = or_unknown(cpuinfo_value("microcode")),
        .hypervisor = hypervisor_text(),
        .governor = or_unknown(read_text_or_empty("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
        .plugin = said.empty() ? "nothing" : fmt::format("{}", fmt::join(said, " | ")),
    };
    record.provenance = {.host = or_unknown(system.nodename),
                         .time = utc_time(),
                         .revision = TUNE_GEMM_VERSION,
                         .run_id = new_run_id()};
    return record;
}

json::object environment_record_json(const EnvironmentRecord& record) {
    const EnvironmentExplanation& e = record.explanation;
    const Provenance& p = record.provenance;
    return {
        {"environment", environment_json(record.environment)},
        {"explanation", json::object{{"kernel", e.kernel},
                                     {"microcode", e.microcode},
                                     {"hypervisor", e.hypervisor},
                                     {"governor", e.governor},
                                     {"plugin", e.plugin}}},
        {"provenance",
         json::object{{"host", p.host}, {"time", p.time}, {"revision", p.revision}, {"run_id", p.run_id}}}};
}

EnvironmentRecord parse_environment_record(const json::Field& field) {
    field.only({"environment", "explanation", "provenance"});
    const json::Field e = field["explanation"], p = field["provenance"];
    e.only({"kernel", "microcode", "hypervisor", "governor", "plugin"});
    p.only({"host", "time", "revision", "run_id"});
    return {parse_environment(field["environment"]),
            {e["kernel"].string(), e["microcode"].string(), e["hypervisor"].string(), e["governor"].string(),
             e["plugin"].string()},
            {p["host"].string(), p["time"].string(), p["revision"].string(), p["run_id"].string()}};
}

} // namespace tune_gemm::host
