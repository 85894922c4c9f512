// Memory in which reading too far is seen.
#pragma once
#include <doctest/doctest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

namespace tune_gemm::test {

/// Bytes that end where memory ends: one byte further is a segmentation fault.
class FlushBytes {
  public:
    FlushBytes(const void* bytes, std::size_t count)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        map_ = static_cast<char*>(
            mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        REQUIRE(map_ != MAP_FAILED);
        REQUIRE(mprotect(map_ + page_, page_, PROT_NONE) == 0);
        start_ = map_ + page_ - count;
        std::memcpy(start_, bytes, count);
    }
    ~FlushBytes() { munmap(map_, 2 * page_); }
    FlushBytes(const FlushBytes&) = delete;
    FlushBytes& operator=(const FlushBytes&) = delete;
    const char* data() const { return start_; }

  private:
    std::size_t page_;
    char* map_;
    char* start_;
};

} // namespace tune_gemm::test
