#include "report/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tune_gemm::host {
namespace {

/// Four figures at most, three at least, no exponent: 1.234, 12.34, 123.4, 1234.
std::string four_figures(double number) {
    if (!std::isfinite(number))
        return fmt::format("{}", number);
    const double size = std::abs(number);
    // Limits half a unit of the last place below the power of ten: 9.9996 has four figures as "10.00".
    const int decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
    return fmt::format("{:.{}f}", number, decimals);
}

} // namespace

std::string bytes_text(std::int64_t bytes) {
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    const bool negative = bytes < 0;
    double amount = std::abs(static_cast<double>(bytes));
    std::size_t unit = 0;
    for (; amount >= 1024 && unit + 1 < units.size(); ++unit)
        amount /= 1024;
    const bool whole = amount == std::floor(amount);
    return fmt::format("{}{:.{}f} {}", negative ? "-" : "", amount, whole ? 0 : 1, units[unit]);
}

std::string duration_text(double ns) {
    const double size = std::abs(ns);
    if (size < 999.95)
        return four_figures(ns) + " ns";
    if (size < 999.95e3)
        return four_figures(ns / 1e3) + " us";
    if (size < 999.95e6)
        return four_figures(ns / 1e6) + " ms";
    return four_figures(ns / 1e9) + " s";
}

std::string wait_text(double seconds) {
    if (!(seconds >= 0))
        return "unknown";
    constexpr double most = 99.0 * 3600;
    const auto whole = static_cast<std::int64_t>(std::ceil(std::min(seconds, most)));
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string rate_text(double gflops) {
    return four_figures(gflops);
}

} // namespace tune_gemm::host
