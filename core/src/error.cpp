#include <tune_gemm/error.hpp>

namespace tune_gemm {

void throw_bad_input(const std::string& sentence) {
    throw Error(ErrorKind::bad_input, sentence);
}

} // namespace tune_gemm
