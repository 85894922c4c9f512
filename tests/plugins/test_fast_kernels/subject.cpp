#include "subject.hpp"

#include "runtime/load.hpp"

#include <optional>

namespace tune_gemm::test {
namespace {
std::optional<Catalogue> loaded;
}

void set_subject(const std::string& path) {
    loaded = host::loaded_catalogue(path);
}
const Catalogue& subject() {
    return loaded.value();
}

std::vector<const KernelInfo*> kernels_of(tg_dtype type) {
    std::vector<const KernelInfo*> found;
    for (const KernelInfo& kernel : subject().kernels()) {
        if (kernel.arithmetic.dtype == type)
            found.push_back(&kernel);
    }
    return found;
}

std::string missing_feature() {
    for (const KernelInfo& kernel : subject().kernels()) {
        if (!kernel.unusable.empty())
            return kernel.unusable;
    }
    return "";
}

} // namespace tune_gemm::test
