// Right kernels that do what few do, and must raise nothing: a long thin tile of deeply interleaved panels
// that lie at pages, one that only one thread at a time may call and that has a scratch of its own, one that
// is set up for each thread by enter, and a whole-gemm kernel that shares a cache of its own under a lock.
#include "faulty_gemm.hpp"

#include <mutex>

namespace {

/// 64 x 1 with kr = 4.
void run_thin(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i) {
        double sum = call.start(i, 0);
        for (std::int64_t l = 0; l < call.k; ++l)
            sum += call.a[l / 4 * args->cs_a * 4 + i * 4 + l % 4] * call.b[l / 4 * args->rs_b * 4 + l % 4];
        call.c_at(i, 0) = sum;
    }
}

double scratch[faulty::mr][faulty::nr];

void run_serial(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < call.n; ++j)
            scratch[i][j] = call.entry(i, j);
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < call.n; ++j)
            call.c_at(i, j) = scratch[i][j];
}

/// Which stands for matrix tiles or a mode of the processor.
thread_local int entered = 0;

void enter(const tg_kernel*) noexcept {
    ++entered;
}
void leave(const tg_kernel*) noexcept {
    --entered;
}
void run_entered(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (entered == 0)
        call.c_at(0, 0) = 1e300;
}

/// The offset of each row of C, computed once for a stride; a lock keeps threads apart.
struct RowOffsets {
    std::mutex mutex;
    std::int64_t stride = 0;
    std::int64_t of[64] = {};
};
constinit RowOffsets offsets;

tg_status run_locked(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::Plan own = faulty::plan_of(plan);
    volatile char large[48 << 10]; // of the 64 KiB that it has
    large[0] = 0, static_cast<void>(large[0]);
    const std::lock_guard lock(offsets.mutex);
    if (offsets.stride != own.problem.rs_c)
        for (std::int64_t i = 0; i < 64; ++i)
            offsets.of[i] = i * own.problem.rs_c;
    offsets.stride = own.problem.rs_c;
    own.multiply(*args);
    return TG_OK;
}

tg_status prepare_large(const tg_kernel* kernel, const tg_problem* problem, void** plan, std::uint64_t* bytes,
                        tg_error* error) noexcept {
    volatile char large[400 << 10]; // of the 512 KiB that it has
    large[0] = 0, static_cast<void>(large[0]);
    return faulty::prepare(kernel, problem, plan, bytes, error);
}

constexpr tg_tile thin_tile() {
    tg_tile made = faulty::tile(run_thin);
    made.mr = 64, made.nr = 1;
    made.kr = made.k_unroll = 4;
    made.access_a = made.access_b = TG_PACKED;
    made.access_c = TG_ANY;
    made.align_packed = 4096;
    return made;
}
constinit const tg_tile thin = thin_tile(), serial = faulty::tile(run_serial),
                        apart = faulty::tile(run_entered);
constinit const tg_tile* const thin_tiles[] = {&thin, nullptr};
constinit const tg_tile* const serial_tiles[] = {&serial, nullptr};
constinit const tg_tile* const apart_tiles[] = {&apart, nullptr};
constinit const tg_gemm gemm = faulty::gemm(run_locked, prepare_large);

constexpr tg_kernel serial_only() {
    tg_kernel made = faulty::kernel("sound.serial", serial_tiles);
    made.flags = TG_SERIAL_ONLY;
    return made;
}
constexpr tg_kernel entering() {
    tg_kernel made = faulty::kernel("sound.entered", apart_tiles);
    made.enter = enter, made.leave = leave;
    return made;
}
constinit const tg_kernel thin_kernel = faulty::kernel("sound.thin", thin_tiles);
constinit const tg_kernel serial_kernel = serial_only(), entered_kernel = entering();
constinit const tg_kernel locked_kernel = faulty::kernel("sound.locked", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&thin_kernel, &serial_kernel, &entered_kernel, &locked_kernel,
                                              nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("sound_odd", kernels);
