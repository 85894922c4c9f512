// Starting the worker's process.
#pragma once
#include "worker/descriptor.hpp"
#include "worker/process.hpp"

#include <sys/types.h>

namespace tune_gemm::host {

/// A process that was started and not yet reaped, and this side's ends of what connects to it.
struct Child {
    pid_t id = -1; ///< also the number of its process group
    Descriptor
        channel; ///< messages both ways; a stream socket, so that writing to a dead worker raises no signal
    Descriptor output;  ///< its standard output and error; does not block
    Descriptor process; ///< readable once the process has ended; none where the kernel does not offer that
};

/// Runs worker_executable(). Throws Error (failed) when that cannot be done.
Child spawn_worker(const WorkerLimits&);

} // namespace tune_gemm::host
