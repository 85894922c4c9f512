// The threads that help a product along. One crew for the process, made when first asked for; between runs it
// sleeps, and it ends with the process (or with the library that holds it).
#pragma once
#include "waiting.hpp"

#include <deque>

namespace tune_gemm::pool {

/// Makes sure that there are `helpers` threads, so that a run need not start any. Where the system gives no
/// more threads, runs do with one. In a forked child: again.
void reserve(unsigned helpers);

/// At least as many as a run has members; the run's own while it lasts. Who meets at which is the body's.
using Barriers = std::deque<Barrier>;
/// What each thread of a run does.
using Body = void (*)(const void* context, unsigned member, Barriers& barriers) noexcept;

/// Calls body for members 0 .. members - 1, each on a thread of its own, 0 on this one, and returns when all
/// are done. False, and nothing is called, when another run has the crew or it is too small: the caller then
/// works alone. [any]
bool run(unsigned members, Body body, const void* context) noexcept;

} // namespace tune_gemm::pool
