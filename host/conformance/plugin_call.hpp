// Calls of a plugin's functions, as somebody may want to make them and look at what they leave behind.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tune_gemm::host {

enum class Family : std::uint8_t; // conformance/family.hpp

enum class PluginFunction : std::uint8_t { enter, leave, select, tile, prepare, gemm, release };
std::string_view to_text(PluginFunction) noexcept;

/// One call about to be made: integers and pointers only, as all functions of the interface take.
struct PluginCall {
    static constexpr std::size_t most_arguments = 5;

    PluginFunction function = PluginFunction::tile;
    std::uintptr_t entry = 0;
    std::array<std::uintptr_t, most_arguments> arguments{};
    int registers = 0;         ///< the pattern that the vector registers hold (poison_registers)
    std::uintptr_t result = 0; ///< as it came back; of a narrower type only the lower part counts
};

/// Stands by the calls of a check, or makes them in its own way, and remembers the first breach that it saw.
class CallWatch {
  public:
    virtual ~CallWatch() = default;
    /// The calls that follow are about this data. `turn` counts them, for what changes from one to the next.
    virtual void begin(Family, std::int64_t turn) { static_cast<void>(turn); }
    virtual void before(const PluginCall&) {}
    /// Makes the call, and says so; false leaves it to the caller.
    virtual bool make(PluginCall&) { return false; }
    virtual void after(const PluginCall&) {}
    /// All calls of a check have been made, perhaps not for the last time.
    virtual void end_round() {}
    /// "Changed rbx from 0x1 to 0x2"; empty when there was none.
    const std::string& breach() const noexcept { return breach_; }

  protected:
    void report(std::string breach) {
        if (breach_.empty())
            breach_ = std::move(breach);
    }

  private:
    std::string breach_;
};

/// Calls through the watch, or directly when it is null.
template <class Result, class... Arguments>
Result call_watched(CallWatch* watch, PluginFunction function, int registers,
                    Result (*entry)(Arguments...) noexcept, std::type_identity_t<Arguments>... arguments) {
    static_assert(sizeof...(Arguments) <= PluginCall::most_arguments);
    if (watch == nullptr)
        return entry(arguments...);
    PluginCall call;
    call.function = function;
    call.entry = reinterpret_cast<std::uintptr_t>(entry);
    call.arguments = {reinterpret_cast<std::uintptr_t>(arguments)...};
    call.registers = registers;
    watch->before(call);
    const bool made = watch->make(call);
    if constexpr (std::is_void_v<Result>) {
        if (!made)
            entry(arguments...);
        watch->after(call);
    } else {
        Result result;
        if (!made)
            result = entry(arguments...);
        else if constexpr (std::is_pointer_v<Result>)
            result = reinterpret_cast<Result>(call.result);
        else
            result = static_cast<Result>(call.result);
        watch->after(call);
        return result;
    }
}

} // namespace tune_gemm::host
