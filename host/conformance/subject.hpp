// A kernel of either kind as something that multiplies small matrices in many ways: what the checks of
// results need.
#pragma once
#include "conformance/product_rig.hpp"
#include "conformance/sizes.hpp"
#include "conformance/tile_rig.hpp"

#include <cstdint>
#include <memory>

namespace tune_gemm::host {

template <class T>
class Subject {
  public:
    virtual ~Subject() = default;
    /// Numbers 0 .. variations()-1 take every combination of forms (of layouts), placement and entry.
    virtual std::int64_t variations() const = 0;
    /// One call, storing or accumulating (beta 0 or 1), judged; false when the kernel refused it. `dirty_c`:
    /// a C that is not to be read holds large finite numbers, else signalling NaNs.
    virtual bool run(const Numbers<T>&, const Expectation<T>&, const Recipe&, bool accumulate,
                     std::int64_t variation, bool dirty_c = false) = 0;
    virtual void finish() = 0;
};

/// For products up to the largest of these sizes. A tile is called directly, a whole-gemm kernel through
/// prepare and run.
template <class T>
std::unique_ptr<Subject<T>> make_subject(const CheckContext&, const Sizes&);

/// Calls f with a T that the kernel computes in; skips the check for types that are not served.
template <class Function>
void with_type(const CheckContext& context, Function&& f) {
    switch (context.kernel.arithmetic.dtype) {
    case TG_F64:
        return f(double{});
    case TG_F32:
        return f(float{});
    default:
        skip_check("Only kernels for f64 and f32 are checked.");
    }
}

} // namespace tune_gemm::host
