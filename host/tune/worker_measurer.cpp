#include "tune/worker_measurer.hpp"

#include "measure/clock.hpp"
#include "measure/cold_operands.hpp"
#include "measure/operands.hpp"
#include "measure/specification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tune_gemm::host {
namespace {

constexpr double slowest_flop_per_ns = 0.01;

MeasureFailure::Kind kind_of(WorkerFailure::Kind kind) {
    switch (kind) {
    case WorkerFailure::Kind::crashed:
        return MeasureFailure::Kind::crashed;
    case WorkerFailure::Kind::exited:
        return MeasureFailure::Kind::exited;
    case WorkerFailure::Kind::timed_out:
        return MeasureFailure::Kind::timed_out;
    case WorkerFailure::Kind::garbled:
        return MeasureFailure::Kind::garbled;
    }
    return MeasureFailure::Kind::garbled;
}

} // namespace

std::int64_t call_patience_ns(const GemmShape& shape, double products, std::int64_t timed_ns,
                              std::int64_t patience_ns) {
    const double work = products * 2 * static_cast<double>(multiply_adds(shape)) / slowest_flop_per_ns;
    return patience_ns + 4 * timed_ns + static_cast<std::int64_t>(std::min(work, 1e15));
}

WorkerMeasurer::WorkerMeasurer(const Registry& registry, WorkerMeasurerOptions options)
    : registry_(registry), options_(std::move(options)) {}

std::int64_t WorkerMeasurer::now_ns() {
    return host::now_ns();
}

const PluginInfo& WorkerMeasurer::plugin_of(const GemmCandidate& candidate) const {
    const auto kernel = registry_.catalogue.resolve(candidate.microkernel_id);
    if (!kernel)
        throw_bad_input(kernel.refusal().reason);
    return registry_.plugin_of(*kernel.value());
}

json::object WorkerMeasurer::specification(const GemmCandidate& candidate, const GemmShape& shape) const {
    const PluginInfo& plugin = plugin_of(candidate);
    return specification_json({plugin.path, plugin.sha256, candidate, shape, options_.seed, options_.limit});
}

Measured<json::value> WorkerMeasurer::call(std::string_view job, const GemmCandidate& candidate,
                                           const json::object& request, std::int64_t patience_ns,
                                           std::int64_t deadline_ns) {
    const std::string& key = plugin_of(candidate).sha256;
    auto worker = workers_.find(key);
    if (worker != workers_.end() && !worker->second.alive()) {
        workers_.erase(worker);
        worker = workers_.end();
        ++restarts_;
    }
    if (worker == workers_.end())
        worker = workers_.emplace(key, Worker(options_.limits)).first;

    const std::int64_t left_ns = deadline_ns - now_ns();
    const std::chrono::milliseconds allowed(std::min(patience_ns, left_ns) / 1'000'000);
    const MeasureFailure out_of_time{MeasureFailure::Kind::out_of_time, "the time for this shape is used up"};
    if (allowed.count() <= 0)
        return out_of_time;
    try {
        WorkerAnswer answer = worker->second.call(job, request, allowed);
        if (answer.value)
            return std::move(*answer.value);
        const WorkerFailure& failure = *answer.failure;
        if (options_.interrupted())
            return out_of_time;
        if (failure.kind == WorkerFailure::Kind::timed_out && left_ns < patience_ns)
            return out_of_time;
        return MeasureFailure{kind_of(failure.kind), failure.sentence};
    } catch (const Error& error) {
        return MeasureFailure{MeasureFailure::Kind::refused, error.what()};
    }
}

Measured<Judgement> WorkerMeasurer::validate(const GemmCandidate& candidate, const GemmShape& shape,
                                             std::int64_t deadline_ns) {
    // The product and, the first time at a shape, its reference.
    auto answer = call("validate", candidate, specification(candidate, shape),
                       call_patience_ns(shape, 2, 0, options_.patience_ns), deadline_ns);
    if (const auto* failure = std::get_if<MeasureFailure>(&answer))
        return *failure;
    return parse_judgement(json::Field(std::get<json::value>(answer), "the worker's answer")["judgement"]);
}

Measured<Sample> WorkerMeasurer::sample(const GemmCandidate& candidate, const GemmShape& shape,
                                        std::int64_t min_ns, std::int64_t deadline_ns) {
    json::object request = specification(candidate, shape);
    request["min_ns"] = min_ns;
    const std::string shape_key = shape_text(shape) + layouts_text(shape);
    if (fastest_shape_ != shape_key) {
        fastest_.clear();
        fastest_shape_ = shape_key;
    }
    const std::string id = candidate_id(candidate);
    if (const auto known = fastest_.find(id); known != fastest_.end())
        request["uses"] =
            std::max<std::int64_t>(std::llround(std::ceil(static_cast<double>(min_ns) / known->second)), 1);
    auto answer = call("sample", candidate, request, call_patience_ns(shape, 3, min_ns, options_.patience_ns),
                       deadline_ns);
    if (const auto* failure = std::get_if<MeasureFailure>(&answer))
        return *failure;
    Sample sample = parse_sample(json::Field(std::get<json::value>(answer), "the worker's answer"));
    // The fastest says how many uses fill a batch: a disturbed one would make the next too short.
    if (sample.impossible.empty()) {
        const auto [known, is_new] = fastest_.try_emplace(id, sample.ns());
        known->second = std::min(known->second, sample.ns());
    }
    return sample;
}

std::int64_t worker_memory_bytes(const GemmShape& shape, std::size_t element_size) {
    const std::int64_t elements = matrix_length(shape, Operand::a) + matrix_length(shape, Operand::b) +
                                  3 * matrix_length(shape, Operand::c);
    // Operands are made as f64 and then stored in the kernel's type; neighbouring shapes are about as large.
    const std::int64_t at_once = elements * static_cast<std::int64_t>(element_size + sizeof(double));
    return 2 * at_once + operand_cache_bytes + 2 * displaced_cache_bytes() + (std::int64_t{1} << 30);
}

} // namespace tune_gemm::host
