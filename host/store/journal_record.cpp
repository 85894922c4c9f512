#include "store/journal_record.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
constexpr std::array<std::pair<Phase, std::string_view>, 4> phases{{
    {Phase::validate, "validate"},
    {Phase::explore, "explore"},
    {Phase::confirm, "confirm"},
    {Phase::final, "final"},
}};

Phase parse_phase(const json::Field& field) {
    const std::string text = field.string();
    for (const auto& [phase, name] : phases) {
        if (name == text)
            return phase;
    }
    field.fail(fmt::format("\"{}\" is no phase; expected validate, explore, confirm or final", text));
}

json::string text(std::string_view s) {
    return json::string(s.data(), s.size());
}

std::int64_t count(const json::Field& field) {
    return field.integer(0, greatest);
}

json::object object_of(const json::Field& field) {
    field.has(""); // an object, or fails
    return field.raw().get_object();
}

/// The members that every record but header and end begins with.
json::object about_candidate(const std::string& candidate, std::int64_t shape_index) {
    return {{"candidate", candidate}, {"shape_index", shape_index}};
}

json::object to_json(const HeaderRecord& r) {
    json::array plugins;
    for (const HeaderRecord::Plugin& plugin : r.plugins)
        plugins.push_back(json::object{{"path", plugin.path}, {"sha256", plugin.sha256}});
    return {{"run_id", r.run_id},
            {"time", r.time},
            {"environment", environment_json(r.environment)},
            {"explanation", r.explanation},
            {"config", config_object(r.config)},
            {"plugins", plugins},
            {"protocol", r.protocol}};
}

HeaderRecord parse_header(const json::Field& field) {
    field.only({"schema_version", "type", "run_id", "time", "environment", "explanation", "config", "plugins",
                "protocol"});
    HeaderRecord r;
    r.run_id = field["run_id"].string();
    r.time = field["time"].string();
    r.environment = parse_environment(field["environment"]);
    r.explanation = object_of(field["explanation"]);
    r.config = parse_config_object(field["config"]);
    const json::Field plugins = field["plugins"];
    for (std::size_t i = 0; i < plugins.size(); ++i) {
        plugins[i].only({"path", "sha256"});
        r.plugins.push_back({plugins[i]["path"].string(), plugins[i]["sha256"].string()});
    }
    r.protocol = object_of(field["protocol"]);
    return r;
}

json::object to_json(const ValidationRecord& r) {
    json::object object = about_candidate(r.candidate, r.shape_index);
    object["shape"] = shape_json(r.shape);
    object["correct"] = r.correct;
    object["sampled"] = r.sampled;
    object["compared"] = r.compared;
    object["wrong"] = r.wrong;
    object["max_abs_error"] = json::real(r.max_abs_error);
    object["bound"] = json::real(r.bound);
    object["sentence"] = r.sentence;
    return object;
}

ValidationRecord parse_validation(const json::Field& field) {
    field.only({"schema_version", "type", "candidate", "shape_index", "shape", "correct", "sampled",
                "compared", "wrong", "max_abs_error", "bound", "sentence"});
    ValidationRecord r;
    r.candidate = field["candidate"].string();
    r.shape_index = count(field["shape_index"]);
    r.shape = parse_shape_json(field["shape"]);
    r.correct = field["correct"].boolean();
    r.sampled = field["sampled"].boolean();
    r.compared = count(field["compared"]);
    r.wrong = count(field["wrong"]);
    r.max_abs_error = field["max_abs_error"].real();
    r.bound = field["bound"].real();
    r.sentence = field["sentence"].string();
    return r;
}

json::object to_json(const ObservationRecord& r) {
    json::object object = about_candidate(r.candidate, r.shape_index);
    object["phase"] = text(to_text(r.phase));
    object["ns"] = r.ns;
    object["uses"] = r.uses;
    object["block"] = r.block;
    object["disturbance"] = json::object{{"involuntary_switches", r.disturbance.involuntary_switches},
                                         {"migrations", r.disturbance.migrations},
                                         {"minor_faults", r.disturbance.minor_faults},
                                         {"major_faults", r.disturbance.major_faults}};
    return object;
}

ObservationRecord parse_observation(const json::Field& field) {
    field.only({"schema_version", "type", "candidate", "shape_index", "phase", "ns", "uses", "block",
                "disturbance"});
    const json::Field d = field["disturbance"];
    d.only({"involuntary_switches", "migrations", "minor_faults", "major_faults"});
    ObservationRecord r;
    r.candidate = field["candidate"].string();
    r.shape_index = count(field["shape_index"]);
    r.phase = parse_phase(field["phase"]);
    r.ns = field["ns"].integer(1, greatest);
    r.uses = field["uses"].integer(1, greatest);
    r.block = count(field["block"]);
    r.disturbance = {count(d["involuntary_switches"]), count(d["migrations"]), count(d["minor_faults"]),
                     count(d["major_faults"])};
    return r;
}

json::object to_json(const FailureRecord& r) {
    json::object object = about_candidate(r.candidate, r.shape_index);
    object["phase"] = text(to_text(r.phase));
    object["kind"] = r.kind;
    object["sentence"] = r.sentence;
    object["repeat"] = r.repeat;
    return object;
}

FailureRecord parse_failure(const json::Field& field) {
    field.only({"schema_version", "type", "candidate", "shape_index", "phase", "kind", "sentence", "repeat"});
    return {field["candidate"].string(), count(field["shape_index"]), parse_phase(field["phase"]),
            field["kind"].string(),      field["sentence"].string(),  field["repeat"].string()};
}

json::object to_json(const DecisionRecord& r) {
    json::object object = about_candidate(r.candidate, r.shape_index);
    object["phase"] = text(to_text(r.phase));
    object["verdict"] = r.verdict;
    object["sentence"] = r.sentence;
    object["detail"] = r.detail;
    return object;
}

DecisionRecord parse_decision(const json::Field& field) {
    field.only(
        {"schema_version", "type", "candidate", "shape_index", "phase", "verdict", "sentence", "detail"});
    return {field["candidate"].string(), count(field["shape_index"]), parse_phase(field["phase"]),
            field["verdict"].string(),   field["sentence"].string(),  object_of(field["detail"])};
}

json::object to_json(const EndRecord& r) {
    return {{"time", r.time}, {"outcome", r.outcome}, {"sentence", r.sentence}};
}

EndRecord parse_end(const json::Field& field) {
    field.only({"schema_version", "type", "time", "outcome", "sentence"});
    return {field["time"].string(), field["outcome"].string(), field["sentence"].string()};
}

/// In the order of the variant's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<JournalRecord>> type_names{
    "header", "validation", "observation", "failure", "decision", "end"};

} // namespace

std::string_view to_text(Phase phase) noexcept {
    for (const auto& [known, name] : phases) {
        if (known == phase)
            return name;
    }
    return "unknown";
}

json::object journal_record_json(const JournalRecord& record) {
    json::object object{{"schema_version", text(journal_schema)}, {"type", text(type_names[record.index()])}};
    const json::object members = std::visit([](const auto& one) { return to_json(one); }, record);
    for (const auto& member : members)
        object.insert(member);
    return object;
}

JournalRecord parse_journal_record(const json::Field& field) {
    const json::Field version = field["schema_version"];
    if (version.string() != journal_schema)
        version.fail(fmt::format("\"{}\" is not a schema that is known here; expected \"{}\"",
                                 version.string(), journal_schema));
    const json::Field type = field["type"];
    const std::string name = type.string();
    if (name == "header")
        return parse_header(field);
    if (name == "validation")
        return parse_validation(field);
    if (name == "observation")
        return parse_observation(field);
    if (name == "failure")
        return parse_failure(field);
    if (name == "decision")
        return parse_decision(field);
    if (name == "end")
        return parse_end(field);
    type.fail(fmt::format("\"{}\" is no type of record; expected {}", name, fmt::join(type_names, ", ")));
}

} // namespace tune_gemm::host
