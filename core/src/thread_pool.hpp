// The threads that help a product along. One crew for the process, made when first asked for; between runs it
// sleeps, and it ends with the process (or with the library that holds it).
#pragma once

namespace tune_gemm::pool {

/// Makes sure that there are `helpers` threads, so that a run need not start any. Where the system gives no
/// more threads, runs do with one. In a forked child: again.
void reserve(unsigned helpers);

/// What each thread of a run does. `looks`: how often it looks, where it has to wait, before it sleeps.
using Body = void (*)(const void* context, unsigned member, int looks) noexcept;

/// Calls body for members 0 .. members - 1, each on a thread of its own, 0 on this one, and returns when
/// member 0 has done and so has everyone who began: a thread that has not woken by then is not waited for. So
/// body must be able to do all the work as member 0. False, and nothing is called, when another run has the
/// crew or it is too small: the caller then works alone. [any]
bool run(unsigned members, Body body, const void* context) noexcept;

} // namespace tune_gemm::pool
