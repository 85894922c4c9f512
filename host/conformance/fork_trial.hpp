// Doing something in the child of a fork.
#pragma once
#include <functional>
#include <string>

namespace tune_gemm::host {

/// Forks, calls f in the child, and waits for it. Empty when f came back; else a sentence: what f failed with
/// (CheckEnded or an Error), with what signal or status the child ended, or that it did not come back within
/// 5 s, whereupon it is killed.
std::string try_in_fork(const std::function<void()>& f);

} // namespace tune_gemm::host
