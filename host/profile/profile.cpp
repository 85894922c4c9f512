#include "profile/profile.hpp"

#include <fmt/format.h>

#include <charconv>
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

} // namespace

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
    if (profile.alone) {
        json::object alone;
        alone["k"] = profile.alone->k;
        alone["gflops"] = json::real(profile.alone->gflops);
        alone["entry"] = std::to_string(profile.alone->entry);
        object["alone"] = std::move(alone);
    }
    if (profile.shares) {
        json::object shares;
        shares["tile"] = json::real(profile.shares->tile);
        shares["edges"] = json::real(profile.shares->edges);
        shares["pack_a"] = json::real(profile.shares->pack_a);
        shares["pack_b"] = json::real(profile.shares->pack_b);
        shares["rest"] = json::real(profile.shares->rest);
        object["shares"] = std::move(shares);
        object["edge_work"] = json::real(profile.edge_work);
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
    if (field.has("alone")) {
        const json::Field alone = field["alone"];
        const std::string entry = alone["entry"].string();
        TileAlone& to = profile.alone.emplace();
        to.k = alone["k"].integer(1, std::int64_t{1} << 24);
        to.gflops = alone["gflops"].real();
        std::from_chars(entry.data(), entry.data() + entry.size(), to.entry);
    }
    if (field.has("shares")) {
        const json::Field shares = field["shares"];
        profile.shares = {shares["tile"].real(), shares["edges"].real(), shares["pack_a"].real(),
                          shares["pack_b"].real(), shares["rest"].real()};
        profile.edge_work = field["edge_work"].real();
    }
    return profile;
}

} // namespace tune_gemm::host
