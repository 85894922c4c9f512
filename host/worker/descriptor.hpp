// A file descriptor that closes itself.
#pragma once
#include <utility>

#include <unistd.h>

namespace tune_gemm::host {

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            close();
            number_ = std::exchange(other.number_, -1);
        }
        return *this;
    }
    ~Descriptor() { close(); }

    int get() const noexcept { return number_; } ///< -1 when there is none
    explicit operator bool() const noexcept { return number_ >= 0; }
    void close() noexcept {
        if (number_ >= 0)
            ::close(std::exchange(number_, -1)); // EINTR: on Linux the descriptor is gone all the same
    }

  private:
    int number_ = -1;
};

} // namespace tune_gemm::host
