// The plugin that this run of the tests is about: the three fused plugins take the same tests, one run each.
#pragma once
#include <tune_gemm/catalogue.hpp>

#include <string>
#include <vector>

namespace tune_gemm::test {

/// Loads the plugin. Throws Error when it cannot be loaded.
void set_subject(const std::string& path);
const Catalogue& subject();
/// Its kernels of one element type.
std::vector<const KernelInfo*> kernels_of(tg_dtype);
/// The processor feature that is missing, or "".
std::string missing_feature();

} // namespace tune_gemm::test
