// The SHA-256 of bytes in lower-case hexadecimal.
#pragma once
#include <openssl/evp.h>

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace tune_gemm::test {

inline std::string sha256(const void* bytes, std::size_t count) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    if (EVP_Digest(bytes, count, digest, &length, EVP_sha256(), nullptr) != 1)
        return "EVP_Digest failed";
    std::string text;
    for (unsigned int index = 0; index < length; ++index)
        text += fmt::format("{:02x}", digest[index]);
    return text;
}

} // namespace tune_gemm::test
