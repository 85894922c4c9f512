#include "conformance/allocation.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TUNE_GEMM_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TUNE_GEMM_COUNTS_ALLOCATIONS 0
#endif
#endif
#if !defined(TUNE_GEMM_COUNTS_ALLOCATIONS)
#if defined(__GLIBC__) && defined(__linux__)
#define TUNE_GEMM_COUNTS_ALLOCATIONS 1
#else
#define TUNE_GEMM_COUNTS_ALLOCATIONS 0
#endif
#endif

#if TUNE_GEMM_COUNTS_ALLOCATIONS
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#endif

namespace tune_gemm::host {
namespace {

/// Zero-initialised and without constructors: malloc is called before anything of this program has run.
struct Count {
    std::atomic<bool> on;
    std::atomic<std::int64_t> calls, blocks, bytes, refuse_from, refused;
};
constinit Count count{};
/// The thread that made the watch: what it calls may be refused memory. In the executable's own block of
/// thread memory, so that reaching it allocates nothing.
thread_local bool watching __attribute__((tls_model("initial-exec"))) = false;

#if TUNE_GEMM_COUNTS_ALLOCATIONS
/// Whether this allocation is to be refused.
bool refuse() noexcept {
    if (!count.on)
        return false;
    const std::int64_t number = ++count.calls, from = count.refuse_from;
    if (!watching || from == 0 || number < from)
        return false;
    ++count.refused;
    errno = ENOMEM;
    return true;
}

void add(std::int64_t blocks, std::int64_t bytes) noexcept {
    count.blocks += blocks;
    count.bytes += bytes;
}

void* taken(void* block) noexcept {
    if (count.on && block != nullptr)
        add(1, static_cast<std::int64_t>(malloc_usable_size(block)));
    return block;
}

void given_back(void* block) noexcept {
    if (count.on && block != nullptr)
        add(-1, -static_cast<std::int64_t>(malloc_usable_size(block)));
}
#endif

} // namespace

const char* no_allocation_count() noexcept {
#if TUNE_GEMM_COUNTS_ALLOCATIONS
    return nullptr;
#else
    return "Allocations cannot be counted in this build: a sanitizer, or another C library, has its own "
           "malloc.";
#endif
}

AllocationWatch::AllocationWatch() noexcept {
    count.calls = count.blocks = count.bytes = count.refuse_from = count.refused = 0;
    watching = true;
    count.on = true;
}
AllocationWatch::~AllocationWatch() {
    count.on = false;
    watching = false;
}
Allocations AllocationWatch::so_far() const noexcept {
    return {count.calls, count.blocks, count.bytes};
}
void AllocationWatch::refuse_from(std::int64_t number) noexcept {
    count.refuse_from = number == 0 ? 0 : count.calls + number;
}
std::int64_t AllocationWatch::refused() const noexcept {
    return count.refused;
}

} // namespace tune_gemm::host

#if TUNE_GEMM_COUNTS_ALLOCATIONS
extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

#define TUNE_GEMM_REPLACES __attribute__((visibility("default")))

TUNE_GEMM_REPLACES void* malloc(std::size_t bytes) noexcept {
    using namespace tune_gemm::host;
    return refuse() ? nullptr : taken(__libc_malloc(bytes));
}
TUNE_GEMM_REPLACES void* calloc(std::size_t number, std::size_t bytes) noexcept {
    using namespace tune_gemm::host;
    return refuse() ? nullptr : taken(__libc_calloc(number, bytes));
}
TUNE_GEMM_REPLACES void* realloc(void* block, std::size_t bytes) noexcept {
    using namespace tune_gemm::host;
    if (refuse())
        return nullptr;
    given_back(block);
    if (void* const made = __libc_realloc(block, bytes))
        return taken(made);
    if (bytes != 0)
        taken(block); // it could not be made larger, and stays
    return nullptr;
}
TUNE_GEMM_REPLACES void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
    using namespace tune_gemm::host;
    return refuse() ? nullptr : taken(__libc_memalign(alignment, bytes));
}
TUNE_GEMM_REPLACES void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return memalign(alignment, bytes);
}
TUNE_GEMM_REPLACES int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    const int before = errno;
    void* const made = memalign(alignment, bytes);
    errno = before; // which posix_memalign does not set
    if (made == nullptr)
        return ENOMEM;
    *block = made;
    return 0;
}
TUNE_GEMM_REPLACES void free(void* block) noexcept {
    tune_gemm::host::given_back(block);
    __libc_free(block);
}

/// For the mappings of libraries; the C library's own calls do not come here. Under both names that a program
/// may know it by, whichever of them this file's headers stand for.
TUNE_GEMM_REPLACES void* tune_gemm_mmap(void*, std::size_t, int, int, int, std::int64_t) noexcept asm("mmap");
void* tune_gemm_mmap(void* address, std::size_t bytes, int protection, int flags, int file,
                     std::int64_t offset) noexcept {
    using namespace tune_gemm::host;
    if (refuse())
        return MAP_FAILED;
    const long made = ::syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
    if (made == -1)
        return MAP_FAILED;
    if (count.on)
        add(1, static_cast<std::int64_t>(bytes));
    return reinterpret_cast<void*>(made);
}
TUNE_GEMM_REPLACES void* tune_gemm_mmap64(void*, std::size_t, int, int, int, std::int64_t) noexcept
    asm("mmap64");
void* tune_gemm_mmap64(void* address, std::size_t bytes, int protection, int flags, int file,
                       std::int64_t offset) noexcept {
    return tune_gemm_mmap(address, bytes, protection, flags, file, offset);
}
TUNE_GEMM_REPLACES int munmap(void* address, std::size_t bytes) noexcept {
    using namespace tune_gemm::host;
    if (count.on)
        add(-1, -static_cast<std::int64_t>(bytes));
    return static_cast<int>(::syscall(SYS_munmap, address, bytes));
}

} // extern "C"
#endif
