// One way to say no: a sentence for the host's record, and the status that goes with it.
#pragma once
#include <tune_gemm/abi.h>

#include <cstdarg>
#include <cstdio>

namespace tune_gemm::baselines {

/// Writes the sentence where the host wants it (cut to its room) and gives the status back.
[[gnu::format(printf, 3, 4)]] inline tg_status refuse(tg_error* error, tg_status status, const char* format,
                                                      ...) noexcept {
    if (error != nullptr && error->message != nullptr && error->message_size > 0) {
        std::va_list values;
        va_start(values, format);
        std::vsnprintf(error->message, error->message_size, format, values);
        va_end(values);
    }
    return status;
}

} // namespace tune_gemm::baselines
