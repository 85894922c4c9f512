// A library's product as a tg_gemm. What no library has to be trusted with is done here: requests that
// contradict the contract, products without entries, and C := beta*C where A and B must not be read.
//
// A library is given as a class:
//
//     struct Product {
//         using Element = double;                       // or float
//         static constexpr unsigned max_threads = 1;
//         tg_status prepare(const Request<Element>&, tg_error*);  // of a request that reads A and B
//         tg_status run(const Request<Element>&, const Operands<Element>&, tg_error*) const;
//     };
//
// Both may throw: what is thrown becomes a status.
#pragma once
#include "request.hpp"

#include <tune_gemm/plugin.hpp>

#include <cstdint>
#include <exception>
#include <new>

namespace tune_gemm::baselines {

template <class Product>
struct WholeGemm {
    using T = typename Product::Element;

    struct Plan {
        Request<T> request;
        Product product;
    };

    /// Runs what may throw; no exception leaves the plugin.
    template <class Function>
    static tg_status guarded(tg_error* error, Function&& function) noexcept {
        try {
            return function();
        } catch (const std::bad_alloc&) {
            return refuse(error, TG_NO_WORKSPACE, "The library could not get memory.");
        } catch (const std::exception& thrown) {
            return refuse(error, TG_INTERNAL, "The library threw an exception: %s", thrown.what());
        } catch (...) {
            return refuse(error, TG_INTERNAL, "The library threw an exception without a text.");
        }
    }

    static tg_status prepare(const tg_kernel*, const tg_problem* problem, void** plan,
                             std::uint64_t* workspace_bytes, tg_error* error) noexcept {
        Request<T> request;
        if (const tg_status status = read_request(problem, request, error); status != TG_OK)
            return status;
        return guarded(error, [&] {
            Product product{};
            if (!request.empty() && request.reads_operands()) {
                if (const tg_status status = product.prepare(request, error); status != TG_OK)
                    return status;
            }
            *plan = new Plan{request, product};
            *workspace_bytes = 0;
            return tg_status{TG_OK};
        });
    }

    static tg_status run(const tg_kernel*, const void* opaque, const tg_gemm_args* args,
                         tg_error* error) noexcept {
        const Plan& plan = *static_cast<const Plan*>(opaque);
        const Operands<T> operands{static_cast<const T*>(args->a), static_cast<const T*>(args->b),
                                   static_cast<T*>(args->c)};
        if (plan.request.empty())
            return TG_OK;
        if (!plan.request.reads_operands()) {
            scale_c(plan.request, operands.c);
            return TG_OK;
        }
        return guarded(error, [&] { return plan.product.run(plan.request, operands, error); });
    }

    static void release(const tg_kernel*, void* plan) noexcept { delete static_cast<Plan*>(plan); }

    static constexpr tg_gemm gemm{.struct_size = sizeof(tg_gemm),
                                  .max_threads = Product::max_threads,
                                  .prepare = prepare,
                                  .run = run,
                                  .release = release};
};

/// The kernel of a Product. Libraries sum in an order of their own, so: reordered, with whatever rounding.
template <class Product>
constexpr tg_kernel whole_kernel(const char* id, const char* summary, tg_flags flags, std::uint32_t rank,
                                 const char* const* cpu = nullptr) noexcept {
    constexpr tg_dtype type = plugin::dtype_of<typename Product::Element>;
    return {.struct_size = sizeof(tg_kernel),
            .flags = flags,
            .microkernel_id = id,
            .summary = summary,
            .type_a = type,
            .type_b = type,
            .type_c = type,
            .type_acc = type,
            .order = TG_REORDERED,
            .muladd = 0,
            .rank = rank,
            .reserved = 0,
            .cpu = cpu,
            .tiles = nullptr,
            .gemm = &WholeGemm<Product>::gemm,
            .user = nullptr,
            .enter = nullptr,
            .leave = nullptr};
}

} // namespace tune_gemm::baselines
