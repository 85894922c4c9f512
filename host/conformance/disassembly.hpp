// The instructions of a file, as objdump prints them.
#pragma once
#include "conformance/instruction_set.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace tune_gemm::host {

/// Calls `each` with every instruction, in order, until it returns false; `function` is the name that stands
/// before it, empty in a stripped file. Returns a reason when objdump cannot be run, else "". Throws Error
/// (failed) when it fails.
std::string disassemble(const std::filesystem::path&,
                        const std::function<bool(const Instruction&, const std::string& function)>& each);

} // namespace tune_gemm::host
