#include "measure/answers.hpp"

#include <limits>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::int64_t count(const json::Field& field) {
    return field.integer(0, largest);
}

json::object arithmetic_json(const ArithmeticClass& arithmetic) {
    json::object object;
    object["dtype"] = dtype_text(arithmetic.dtype);
    object["order"] = arithmetic.order;
    object["muladd"] = arithmetic.muladd;
    return object;
}

ArithmeticClass parse_arithmetic(const json::Field& field) {
    ArithmeticClass arithmetic;
    arithmetic.dtype = parse_dtype(field["dtype"].string());
    arithmetic.order = static_cast<tg_order>(field["order"].integer(TG_SEQUENTIAL, TG_REORDERED));
    arithmetic.muladd = static_cast<tg_muladd>(field["muladd"].integer(0, TG_FUSED));
    return arithmetic;
}

} // namespace

json::object judgement_json(const Judgement& judgement) {
    json::object object;
    object["correct"] = judgement.correct;
    object["compared"] = judgement.compared;
    object["wrong"] = judgement.wrong;
    object["sampled"] = judgement.sampled;
    object["max_abs_error"] = json::real(judgement.max_abs_error);
    object["bound"] = json::real(judgement.bound);
    if (judgement.first) {
        const Difference& first = *judgement.first;
        json::object difference;
        difference["batch"] = first.batch;
        difference["i"] = first.i;
        difference["j"] = first.j;
        difference["expected"] = json::real(first.expected);
        difference["actual"] = json::real(first.actual);
        difference["error"] = json::real(first.error);
        difference["bound"] = json::real(first.bound);
        object["first"] = std::move(difference);
    }
    return object;
}

Judgement parse_judgement(const json::Field& field) {
    Judgement judgement;
    judgement.correct = field["correct"].boolean();
    judgement.compared = count(field["compared"]);
    judgement.wrong = count(field["wrong"]);
    judgement.sampled = field["sampled"].boolean();
    judgement.max_abs_error = field["max_abs_error"].real();
    judgement.bound = field["bound"].real();
    if (field.has("first")) {
        const json::Field first = field["first"];
        judgement.first = Difference{count(first["batch"]),    count(first["i"]),      count(first["j"]),
                                     first["expected"].real(), first["actual"].real(), first["error"].real(),
                                     first["bound"].real()};
    }
    return judgement;
}

json::object sample_json(const Sample& sample) {
    json::object object;
    object["elapsed_ns"] = sample.batch.elapsed_ns;
    object["uses"] = sample.batch.uses;
    object["involuntary_switches"] = sample.batch.disturbance.involuntary_switches;
    object["minor_faults"] = sample.batch.disturbance.minor_faults;
    object["major_faults"] = sample.batch.disturbance.major_faults;
    object["migrations"] = sample.batch.disturbance.migrations;
    if (!sample.impossible.empty())
        object["impossible"] = sample.impossible;
    object["judgement"] = judgement_json(sample.judgement);
    return object;
}

Sample parse_sample(const json::Field& field) {
    Sample sample;
    sample.batch.elapsed_ns = count(field["elapsed_ns"]);
    sample.batch.uses = field["uses"].integer(1, largest);
    sample.batch.disturbance = {count(field["involuntary_switches"]), count(field["minor_faults"]),
                                count(field["major_faults"]), count(field["migrations"])};
    if (field.has("impossible"))
        sample.impossible = field["impossible"].string();
    sample.judgement = parse_judgement(field["judgement"]);
    return sample;
}

json::object resolution_json(const Resolution& resolution) {
    json::object object;
    object["candidate"] = candidate_id(resolution.candidate);
    object["arithmetic"] = arithmetic_json(resolution.arithmetic);
    object["swapped"] = resolution.access.swapped;
    object["packed_a"] = resolution.access.packed_a;
    object["packed_b"] = resolution.access.packed_b;
    object["staged_c"] = resolution.access.staged_c;
    return object;
}

Resolution parse_resolution(const json::Field& field) {
    Resolution resolution;
    resolution.candidate = parse_candidate_id(field["candidate"].string());
    resolution.arithmetic = parse_arithmetic(field["arithmetic"]);
    resolution.access = {field["swapped"].boolean(), field["packed_a"].boolean(), field["packed_b"].boolean(),
                         field["staged_c"].boolean()};
    return resolution;
}

json::object multiplied_json(const Multiplied& multiplied) {
    json::object object;
    object["resolution"] = resolution_json(multiplied.resolution);
    object["judgement"] = judgement_json(multiplied.judgement);
    json::array samples;
    for (const Sample& sample : multiplied.samples)
        samples.push_back(sample_json(sample));
    object["samples"] = std::move(samples);
    return object;
}

Multiplied parse_multiplied(const json::Field& field) {
    Multiplied multiplied{parse_resolution(field["resolution"]), parse_judgement(field["judgement"]), {}};
    const json::Field samples = field["samples"];
    for (std::size_t i = 0; i < samples.size(); ++i)
        multiplied.samples.push_back(parse_sample(samples[i]));
    return multiplied;
}

} // namespace tune_gemm::host
