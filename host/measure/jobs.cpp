#include "measure/jobs.hpp"

#include "measure/answers.hpp"
#include "measure/cold_operands.hpp"
#include "measure/operands.hpp"
#include "measure/output_judge.hpp"
#include "measure/sampler.hpp"
#include "measure/specification.hpp"
#include "runtime/load.hpp"

#include <tune_gemm/matrix.hpp>
#include <tune_gemm/operation.hpp>
#include <tune_gemm/validity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max();

/// Alpha and beta of a product, and how it is made ready in this process.
struct Request {
    JobSpecification spec;
    double alpha = 1, beta = 0;
};

PreparedGemm prepare(const Request& request, const Catalogue& catalogue) {
    const JobSpecification& spec = request.spec;
    // Judged again here, whoever asked: a candidate from a file or from a search is held to the same rules.
    if (const Validity valid = candidate_valid_for_shape(spec.candidate, spec.shape, spec.limit, catalogue);
        !valid)
        throw_bad_input(fmt::format("The candidate {} is not valid for {}: {}: {}",
                                    candidate_id(spec.candidate), shape_text(spec.shape), valid.field,
                                    valid.reason));
    auto prepared = PreparedGemm::make(problem_of(spec.shape, request.alpha, request.beta), spec.candidate,
                                       spec.limit, catalogue, static_cast<unsigned>(spec.threads));
    if (!prepared)
        throw_bad_input(fmt::format("The candidate {} cannot be prepared for {}: {}: {}",
                                    candidate_id(spec.candidate), shape_text(spec.shape),
                                    prepared.refusal().field, prepared.refusal().reason));
    return prepared.value();
}

/// How a batch is timed and judged; see sample_job.
struct SampleOptions {
    std::optional<std::int64_t> uses, spot_entries;
    bool cold = false;
};

/// A product made ready, with its operands and its judge. T is the kernel's element type.
template <class T>
class Bound {
  public:
    Bound(const Request& request, const Catalogue& catalogue)
        : prepared_(prepare(request, catalogue)), scope_(request.spec.candidate.timing_scope),
          operands_(operand_cache<T>().get(request.spec.shape, request.spec.seed)), c_(initial_c(request)),
          judge_(operands_, prepared_.resolution().arithmetic, prepared_.resolution().candidate,
                 request.alpha, request.beta, c_) {}

    const Resolution& resolution() const { return prepared_.resolution(); }

    Judgement multiply_once() {
        Operation operation(prepared_, operands_.a().data(), operands_.b().data(), c_bytes());
        operation.set_up();
        operation.begin_use();
        fill(operation.c());
        operation.multiply();
        operation.end_use();
        Judgement judgement = judge_(operation.c());
        operation.tear_down();
        return judgement;
    }

    Sample sample(std::int64_t min_ns, const SampleOptions& options) {
        const OperandPair warm{operands_.a().data(), operands_.b().data()};
        ColdOperands cold;
        if (options.cold && (prepacks_a(mode()) || prepacks_b(mode())))
            throw_bad_input("Operands that are packed ahead cannot be taken in turn.");
        if (options.cold || Sampler::wants_cold_operands(scope_))
            cold = ColdOperands(std::as_bytes(operands_.a()), std::as_bytes(operands_.b()));
        const std::span<const OperandPair> pairs =
            cold.pairs().empty() ? std::span<const OperandPair>(&warm, 1) : cold.pairs();
        Sampler sampler(
            prepared_, pairs, c_bytes(), [this](std::span<std::byte> c) { fill(c); },
            options.cold ? Sampler::Pairs::in_turn : Sampler::Pairs::first);
        Sample sample;
        sample.batch = sampler.sample(
            min_ns,
            [&](std::span<const std::byte> c) {
                sample.judgement = options.spot_entries ? judge_.spot(c, *options.spot_entries) : judge_(c);
            },
            options.uses);
        sample.impossible = impossible_time(sample.batch, operands_.shape());
        return sample;
    }

  private:
    AllocationMode mode() const { return prepared_.resolution().candidate.allocation_mode; }
    std::int64_t c_bytes() const { return operands_.c_length() * static_cast<std::int64_t>(sizeof(T)); }

    void fill(std::span<std::byte> c) const {
        if (c_.empty())
            poison(c);
        else if (!c.empty())
            std::memcpy(c.data(), c_.data(), c.size());
    }

    static std::vector<T> initial_c(const Request& request) {
        const JobSpecification& spec = request.spec;
        if (request.beta == 0)
            return {};
        if (spec.candidate.allocation_mode == AllocationMode::fresh ||
            Sampler::wants_cold_operands(spec.candidate.timing_scope))
            throw_bad_input(fmt::format(
                "beta is {}, so C is read, but the candidate {} allocates C in each operation. Take "
                "an allocation mode other than fresh and the timing scope compute or steady_state",
                request.beta, candidate_id(spec.candidate)));
        const std::uint64_t seed = spec.seed + 2 * static_cast<std::uint64_t>(spec.shape.batch);
        const std::vector<double> values = reproducible_operand(seed, spec.shape, Operand::c);
        return std::vector<T>(values.begin(), values.end());
    }

    PreparedGemm prepared_;
    TimingScope scope_;
    Operands<T>& operands_;
    std::vector<T> c_; ///< what C holds before; empty when beta is 0
    OutputJudge<T> judge_;
};

/// Calls `use` with the product bound in the kernel's element type.
template <class Use>
json::value with_bound(const Request& request, Use use) {
    const Catalogue catalogue = loaded_catalogue(request.spec.plugin, request.spec.sha256);
    const auto kernel = catalogue.resolve(request.spec.candidate.microkernel_id);
    if (!kernel)
        throw_bad_input(kernel.refusal().reason);
    const tg_dtype dtype = kernel.value()->arithmetic.dtype;
    if (dtype == TG_F64)
        return use(Bound<double>(request, catalogue));
    if (dtype == TG_F32)
        return use(Bound<float>(request, catalogue));
    throw Error(ErrorKind::unavailable, fmt::format("The kernel {} works on {}; f64 and f32 can be run here",
                                                    kernel.value()->id, dtype_text(dtype)));
}

} // namespace

json::value validate_job(const json::Field& field) {
    return with_bound({parse_specification(field)}, [](auto bound) -> json::value {
        json::object answer;
        answer["resolution"] = resolution_json(bound.resolution());
        answer["judgement"] = judgement_json(bound.multiply_once());
        return answer;
    });
}

json::value sample_job(const json::Field& field) {
    const std::int64_t min_ns = field["min_ns"].integer(0, longest);
    SampleOptions options;
    if (field.has("uses"))
        options.uses = field["uses"].integer(1, longest);
    if (field.has("spot_entries"))
        options.spot_entries = field["spot_entries"].integer(1, longest);
    if (field.has("cold"))
        options.cold = field["cold"].boolean();
    return with_bound({parse_specification(field)},
                      [&](auto bound) -> json::value { return sample_json(bound.sample(min_ns, options)); });
}

json::value multiply_job(const json::Field& field) {
    const Request request{parse_specification(field), field["alpha"].real(), field["beta"].real()};
    const std::int64_t samples = field["samples"].integer(0, 1'000'000);
    const std::int64_t min_ns = field["min_ns"].integer(0, longest);
    return with_bound(request, [&](auto bound) -> json::value {
        Multiplied multiplied{bound.resolution(), bound.multiply_once(), {}};
        // A wrong product is not timed.
        SampleOptions options;
        for (std::int64_t i = 0; i < samples && multiplied.judgement.correct; ++i) {
            multiplied.samples.push_back(bound.sample(min_ns, options));
            options.uses = multiplied.samples.back().batch.uses;
        }
        return multiplied_json(multiplied);
    });
}

} // namespace tune_gemm::host
