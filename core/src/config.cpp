#include "json_text.hpp"

#include <tune_gemm/config.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace tune_gemm {
namespace {

constexpr std::string_view schema = "mmkts_1";
constexpr json::Limits config_limits{.bytes = std::size_t{16} << 20, .depth = 32};
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

json::string json_word(std::string_view s) {
    return json::string(s.data(), s.size());
}

template <class T, class ParseOne>
std::vector<T> parse_list(const json::Field& list, ParseOne parse_one) {
    std::vector<T> all;
    all.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
        all.push_back(parse_one(list[i]));
    return all;
}

template <class T, class WriteOne>
json::array list_json(const std::vector<T>& list, WriteOne write_one) {
    json::array all;
    all.reserve(list.size());
    for (const T& one : list)
        all.push_back(write_one(one));
    return all;
}

} // namespace

json::object shape_json(const GemmShape& shape) {
    return {{"m", shape.m},
            {"n", shape.n},
            {"k", shape.k},
            {"batch", shape.batch},
            {"reuse_count", shape.reuse_count},
            {"layout_a", json_word(to_text(shape.layout_a))},
            {"layout_b", json_word(to_text(shape.layout_b))},
            {"layout_c", json_word(to_text(shape.layout_c))}};
}

GemmShape parse_shape_json(const json::Field& field) {
    field.only({"m", "n", "k", "batch", "reuse_count", "layout_a", "layout_b", "layout_c"});
    GemmShape shape;
    shape.m = field["m"].integer(1, greatest);
    shape.n = field["n"].integer(1, greatest);
    shape.k = field["k"].integer(1, greatest);
    shape.batch = field["batch"].integer(1, greatest);
    shape.reuse_count = field["reuse_count"].integer(1, greatest);
    shape.layout_a = json::parsed(field["layout_a"], parse_layout);
    shape.layout_b = json::parsed(field["layout_b"], parse_layout);
    shape.layout_c = json::parsed(field["layout_c"], parse_layout);
    try {
        multiply_adds(shape); // not less than the length of any operand
    } catch (const Error& error) {
        field.fail(error.what());
    }
    return shape;
}

json::object candidate_json(const GemmCandidate& candidate) {
    return {{"id", candidate_id(candidate)},
            {"mc", candidate.mc},
            {"nc", candidate.nc},
            {"kc", candidate.kc},
            {"mr", candidate.mr},
            {"nr", candidate.nr},
            {"packing", json_word(to_text(candidate.packing))},
            {"loop_order", json_word(to_text(candidate.loop_order))},
            {"microkernel", candidate.microkernel_id},
            {"allocation", json_word(to_text(candidate.allocation_mode))},
            {"timing_scope", to_text(candidate.timing_scope)}};
}

GemmCandidate parse_candidate_json(const json::Field& field) {
    field.only({"id", "mc", "nc", "kc", "mr", "nr", "packing", "loop_order", "microkernel", "allocation",
                "timing_scope"});
    GemmCandidate candidate;
    candidate.mc = field["mc"].integer(0, greatest);
    candidate.nc = field["nc"].integer(0, greatest);
    candidate.kc = field["kc"].integer(0, greatest);
    candidate.mr = field["mr"].integer(0, greatest);
    candidate.nr = field["nr"].integer(0, greatest);
    candidate.packing = json::parsed(field["packing"], parse_packing);
    candidate.loop_order = json::parsed(field["loop_order"], parse_loop_order);
    candidate.microkernel_id = field["microkernel"].string();
    candidate.allocation_mode = json::parsed(field["allocation"], parse_allocation_mode);
    candidate.timing_scope = json::parsed(field["timing_scope"], parse_timing_scope);
    const json::Field id = field["id"];
    if (const std::string expected = candidate_id(candidate); id.string() != expected)
        id.fail(fmt::format("{} contradicts the fields beside it, which make {}", json::quoted(id.string()),
                            json::quoted(expected)));
    return candidate;
}

json::object config_object(const GemmTuningConfig& config) {
    json::object object{{"schema_version", json_word(schema)},
                        {"seed", fmt::to_string(config.seed)},
                        {"shapes", list_json(config.shapes, shape_json)},
                        {"candidates", list_json(config.candidates, candidate_json)},
                        {"max_workspace_bytes", fmt::to_string(config.max_workspace_bytes)},
                        {"exploration_samples", config.exploration_samples},
                        {"confirmation_samples", config.confirmation_samples}};
    if (!config.extra.is_null())
        object["x_tune_gemm"] = config.extra;
    return object;
}

GemmTuningConfig parse_config_object(const json::Field& field) {
    // The version first: everything else may mean something different in another one.
    const json::Field version = field["schema_version"];
    if (version.string() != schema)
        version.fail(fmt::format("{} is not a schema that is known here; expected \"{}\"",
                                 json::quoted(version.string()), schema));
    field.only({"schema_version", "seed", "shapes", "candidates", "max_workspace_bytes",
                "exploration_samples", "confirmation_samples", "x_tune_gemm"});
    GemmTuningConfig config;
    config.seed = field["seed"].decimal_u64();
    config.shapes = parse_list<GemmShape>(field["shapes"], parse_shape_json);
    config.candidates = parse_list<GemmCandidate>(field["candidates"], parse_candidate_json);
    config.max_workspace_bytes = field["max_workspace_bytes"].decimal_u64();
    if (config.max_workspace_bytes == 0)
        field["max_workspace_bytes"].fail(
            "a limit of 0 bytes leaves room for no candidate; expected at least 1");
    config.exploration_samples = field["exploration_samples"].integer(1, max_samples);
    config.confirmation_samples = field["confirmation_samples"].integer(1, max_samples);
    if (field.has("x_tune_gemm")) {
        const json::Field extra = field["x_tune_gemm"];
        extra.has(""); // an object, or fails
        config.extra = extra.raw();
    }
    return config;
}

std::string config_json(const GemmTuningConfig& config) {
    return json::write(config_object(config));
}

GemmTuningConfig parse_config(std::string_view text, std::string_view what) {
    const json::value root = json::read(text, what, config_limits);
    return parse_config_object(json::Field(root, what));
}

} // namespace tune_gemm
