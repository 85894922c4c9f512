#include "profile/profile.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

namespace tune_gemm::host {
namespace {

json::object peak_json(const Peak& peak) {
    json::object object;
    object["instructions"] = peak.instructions;
    object["gflops"] = json::real(peak.gflops);
    return object;
}

Peak parse_peak(const json::Field& field) {
    return {field["instructions"].string(), field["gflops"].real()};
}

json::object shares_json(const TimeShares& shares) {
    return {{"tile", json::real(shares.tile)},
            {"edges", json::real(shares.edges)},
            {"pack_a", json::real(shares.pack_a)},
            {"pack_b", json::real(shares.pack_b)},
            {"rest", json::real(shares.rest)}};
}

TimeShares parse_shares(const json::Field& field) {
    return {field["tile"].real(), field["edges"].real(), field["pack_a"].real(), field["pack_b"].real(),
            field["rest"].real()};
}

/// [[address, count], ...]
json::object samples_json(const CodeSamples& samples) {
    json::array places;
    for (const auto& [address, count] : samples.in_file)
        places.push_back(json::array{static_cast<std::int64_t>(address), count});
    return {{"taken", samples.taken}, {"in_file", std::move(places)}};
}

CodeSamples parse_samples(const json::Field& field) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CodeSamples samples;
    samples.taken = static_cast<int>(field["taken"].integer(0, 1'000'000));
    const json::Field places = field["in_file"];
    for (std::size_t i = 0; i < places.size(); ++i)
        samples.in_file[static_cast<std::uint64_t>(places[i][0].integer(0, most))] =
            static_cast<int>(places[i][1].integer(0, 1'000'000));
    return samples;
}

} // namespace

bool is_unsteady(double share, double spread) noexcept {
    constexpr double least = 0.005;
    return spread > share && spread >= least;
}

bool is_disturbed(double away) noexcept {
    return away >= 0.1;
}

std::string share_text(double share) {
    return share >= 0.0995 ? fmt::format("{:.0f} %", 100 * share) : fmt::format("{:.1f} %", 100 * share);
}

json::object profile_json(const Profile& profile) {
    json::object object;
    object["resolution"] = resolution_json(profile.resolution);
    object["judgement"] = judgement_json(profile.judgement);
    if (!profile.wrong.empty())
        object["wrong"] = profile.wrong;
    if (!profile.is_correct())
        return object;
    object["peak"] = peak_json(profile.peak);
    object["processor_peak"] = peak_json(profile.processor_peak);
    object["product_gflops"] = json::real(profile.product_gflops);
    object["product_ns"] = json::real(profile.product_ns);
    if (profile.threaded)
        object["threaded"] = json::object{{"threads", profile.threaded->threads},
                                          {"gflops", json::real(profile.threaded->gflops)}};
    if (profile.alone) {
        json::object alone;
        alone["k"] = profile.alone->k;
        alone["gflops"] = json::real(profile.alone->gflops);
        alone["seen"] = samples_json(profile.alone->seen);
        object["alone"] = std::move(alone);
    }
    if (profile.shares) {
        object["shares"] = shares_json(*profile.shares);
        object["spread"] = shares_json(profile.spread);
        object["tile_calls"] = profile.tile_calls;
        object["edge_work"] = json::real(profile.edge_work);
        object["away"] = json::real(profile.away);
    }
    return object;
}

Profile parse_profile(const json::Field& field) {
    Profile profile;
    profile.resolution = parse_resolution(field["resolution"]);
    profile.judgement = parse_judgement(field["judgement"]);
    if (field.has("wrong"))
        profile.wrong = field["wrong"].string();
    if (!profile.is_correct())
        return profile;
    profile.peak = parse_peak(field["peak"]);
    profile.processor_peak = parse_peak(field["processor_peak"]);
    profile.product_gflops = field["product_gflops"].real();
    profile.product_ns = field["product_ns"].real();
    if (field.has("threaded"))
        profile.threaded = {field["threaded"]["threads"].integer(1, 4096),
                            field["threaded"]["gflops"].real()};
    if (field.has("alone")) {
        const json::Field alone = field["alone"];
        TileAlone& to = profile.alone.emplace();
        to.k = alone["k"].integer(1, std::int64_t{1} << 24);
        to.gflops = alone["gflops"].real();
        to.seen = parse_samples(alone["seen"]);
    }
    if (field.has("shares")) {
        profile.shares = parse_shares(field["shares"]);
        profile.spread = parse_shares(field["spread"]);
        profile.tile_calls = field["tile_calls"].integer(1, std::numeric_limits<std::int64_t>::max());
        profile.edge_work = field["edge_work"].real();
        profile.away = field["away"].real();
    }
    return profile;
}

} // namespace tune_gemm::host
