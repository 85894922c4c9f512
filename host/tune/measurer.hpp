// How the tuner learns about a candidate. Behind this stands a worker process, or in tests a table of times
// and a clock that only moves when something is measured.
#pragma once
#include "measure/answers.hpp"

#include <tune_gemm/candidate.hpp>
#include <tune_gemm/shape.hpp>
#include <tune_gemm/validation.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace tune_gemm::host {

/// Why there is no result.
struct MeasureFailure {
    enum class Kind {
        crashed,     ///< the worker was ended by a signal
        exited,      ///< the worker ended of itself
        timed_out,   ///< no answer in a time that is long for this work
        garbled,     ///< an answer that is none
        refused,     ///< the worker said no, with a sentence
        wrong,       ///< a product that is not right
        impossible,  ///< a time that cannot be
        out_of_time, ///< the deadline came first: nothing is known about the candidate
    };
    Kind kind = Kind::crashed;
    std::string sentence;
};
std::string_view to_text(MeasureFailure::Kind) noexcept;

template <class T>
using Measured = std::variant<T, MeasureFailure>;

/// Deadlines are absolute, on the measurer's own clock. A call returns at the deadline at the latest, with
/// out_of_time.
class Measurer {
  public:
    virtual ~Measurer() = default;

    /// One product, judged. A wrong one comes back as a judgement that is not correct.
    virtual Measured<Judgement> validate(const GemmCandidate&, const GemmShape&,
                                         std::int64_t deadline_ns) = 0;
    /// One batch of at least about min_ns.
    virtual Measured<Sample> sample(const GemmCandidate&, const GemmShape&, std::int64_t min_ns,
                                    std::int64_t deadline_ns) = 0;
    virtual std::int64_t now_ns() = 0;
    /// True once the user wants an end.
    virtual bool interrupted() = 0;
};

} // namespace tune_gemm::host
