#include "runtime/sha256.hpp"

#include "store/open_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace {

class Sha256 {
  public:
    Sha256() : context_(EVP_MD_CTX_new()) {
        require(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
    }

    void add(const void* bytes, std::size_t count) {
        require(EVP_DigestUpdate(context_.get(), bytes, count) == 1);
    }

    std::string finish() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned size = 0;
        require(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
        std::string text;
        for (unsigned i = 0; i < size; ++i)
            text += fmt::format("{:02x}", digest[i]);
        return text;
    }

  private:
    static void require(bool good) {
        if (!good)
            throw Error(ErrorKind::failed, "SHA-256 is not available from libcrypto.");
    }

    struct Free {
        void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> context_;
};

} // namespace

std::string sha256_text(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.finish();
}

std::string sha256_descriptor(int descriptor, const std::filesystem::path& path) {
    Sha256 hash;
    std::vector<char> piece(std::size_t{1} << 18);
    for (off_t at = 0;;) {
        const ssize_t got = ::pread(descriptor, piece.data(), piece.size(), at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw_bad_input(system_sentence(path, "read", errno));
        if (got == 0)
            return hash.finish();
        hash.add(piece.data(), static_cast<std::size_t>(got));
        at += got;
    }
}

std::string sha256_file(const std::filesystem::path& path) {
    return sha256_descriptor(OpenFile(path, O_RDONLY).get(), path);
}

bool is_sha256(std::string_view text) noexcept {
    return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

} // namespace tune_gemm::host
