#include "faults.hpp"

namespace tests {
namespace {

using enum tune_gemm::host::CheckStatus;

const Fault faults[] = {
    {"crash", "tail.residues", crash, "address"},
    {"hang", "result.nonfinite", timeout, "still busy in the call"},
    {"exits", "tail.residues", crash, "called exit"},
    {"wrong_m_tail", "tail.residues", fail, "m=3"},
    {"wrong_n_tail", "tail.residues", fail, "C(0,"},
    {"lost_k_tail", "tail.residues", fail, "k=3"},
    {"permuted_rows", "tail.residues", fail, "m=4 n=1"},
    {"stores_not_all", "result.unread_c", fail, "C(3,5) is nan"},
    {"reads_c", "result.unread_c", fail, "storing"},
    {"over_read_a", "tail.residues", crash, "read 0 bytes past the end of A"},
    {"under_read_b", "tail.residues", crash, "read 8 bytes before the start of B"},
    {"over_write_c", "tail.residues", fail, "0 bytes past the end of C"},
    {"writes_padding", "tail.residues", fail, "between its entries"},
    {"changes_a", "tail.residues", crash, "wrote at byte 0 of A"},
    {"changes_arguments", "tail.residues", crash, "of the arguments"},
    {"loads_hint", "tail.residues", crash, "read"},
    {"aligned_access", "tail.residues", crash, "more alignment"},
    {"wrong_select", "tail.residues", fail, "through select"},
    {"takes_width_for_stride", "tail.strides", fail, "C row_unit"},
    {"wrong_past_256", "tail.long_sums", fail, "k=257"},
    {"free_tile_past_32", "tail.free", fail, "m=33"},
    {"two_accumulators", "result.rounding", fail, "cancelling"},
    {"fused", "result.rounding", fail, "cancelling"},
    {"single_precision", "result.rounding", fail, "cancelling"},
    {"swallows_nan", "result.nonfinite", fail, "expected nan"},
    {"spreads_nan", "result.nonfinite", fail, "C(2,0)"},
    {"flushes_subnormals", "result.subnormal", fail, "is 0 (0x0p+0)"},
    {"first_product", "result.signed_zero", fail, "is -0 (-0x0p+0), expected 0 (0x0p+0)"},
    {"skips_pairs", "result.one_hot", fail, "one-hot A"},
    {"error_of_the_row", "result.scaled", fail, "scaled"},
    {"avoids_overflow", "result.overflow", fail, "overflowing"},
    {"keeps_a", "tail.blocks", fail, "driver with blocks"},
    {"gemm_wrong_past_64", "tail.products", fail, "n=65"},
    {"skips_empty_sum", "result.empty_sum", fail, "k=0"},
    {"changing_rank", "metadata.constant", fail, "tg_kernel changed"},
    {"changing_rank", "metadata.read_only", warn, "tg_kernel lies in memory that can be written"},
    {"gemm_reads_c", "result.unread_c", fail, "nan"},
    {"gemm_inaccurate", "result.rounding", fail, "within"},
    {"gemm_refuses_everything", "result.integers", fail, "Ran no case"},
    {"gemm_alpha_zero_reads_b", "tail.scalars", crash, "read"},
    {"gemm_alpha_zero_skips_beta", "tail.scalars", fail, "alpha=0"},
    {"gemm_beta_in_first_columns", "tail.scalars", fail, "beta="},
    {"gemm_tight_batch", "tail.layouts", fail, "batch=3"},
    {"gemm_small_workspace", "workspace.exact", crash, "past the end of the workspace"},
    {"gemm_zeroed_workspace", "workspace.exact", fail, "C(0,0)"},
    {"gemm_keeps_workspace", "workspace.moved", fail, "wrong in the call"},
#if defined(__x86_64__)
    {"clobbers_rbx", "state.registers", fail, "changed rbx"},
    {"leaves_direction_flag", "state.registers", fail, "direction flag"},
    {"wants_aligned_stack", "state.registers", crash, "SIGSEGV"},
    {"writes_shadow_space", "state.registers", fail, "caller's stack frame"},
    {"sets_ftz", "state.float_control", fail, "m=1 n="},
    {"restores_default_mode", "state.float_control", fail, "to MXCSR 0x1f80"},
    {"forgets_emms", "state.float_control", fail, "left x87 or MMX registers in use"},
    {"sets_x87_precision", "state.float_control", fail, "x87 control word"},
    {"starts_with_ftz", "state.float_control", fail, "Loading the plugin changed"},
    {"gemm_keeps_rounding", "state.float_control", fail, "prepare changed MXCSR"},
    {"hides_invalid", "state.float_control", crash, "raised an arithmetic trap"},
    {"raises_invalid", "state.float_flags", fail, "(invalid)"},
    {"rounds_on_the_way", "state.float_flags", fail, "(inexact)"},
    {"clears_flags", "state.float_flags", fail, "cleared exception flags"},
    {"leaves_upper", "state.upper", fail, "m=4 n=5", true},
    {"deep_stack", "state.stack", fail, "bytes of stack"},
    {"huge_stack", "state.stack", crash, "before the start of the stack"},
#endif
    {"allocates", "state.memory", fail, "k=7", true},
    {"maps_memory", "state.memory", fail, "m=1 n=1", true},
    {"gemm_leaks_plan", "state.memory", fail, "Keeps", true},
    {"starts_thread", "state.process", fail, "changed the threads"},
    {"leaves_descriptor", "state.process", fail, "from nothing to /dev/null"},
    {"blocks_signal", "state.process", fail, "changed the signal mask"},
    {"handles_signal", "state.process", fail, "Loading the plugin changed the action of signal 10"},
    {"pins_processor", "state.process", fail, "changed the pr"},
    {"sets_locale", "state.process", fail, "changed the locale from C to"},
    {"changes_folder", "state.process", fail, "Loading the plugin changed the working folder"},
    {"sets_environment", "state.process", fail, "environment variable OMP_NUM_THREADS from nothing to 1"},
    {"sets_umask", "state.process", fail, "the umask"},
    {"prints_line", "state.process", fail, "printed \"edge case?\""},
    {"greets", "state.process", fail, "Loading the plugin printed \"fast kernels"},
    {"starts_process", "state.process", fail, "child processes from none to some"},
    {"static_scratch", "concurrency.shapes", fail, "beside 3 other threads"},
    {"gemm_packs_into_plan", "concurrency.one_plan", fail, "beside 3 other threads"},
    {"knows_its_thread", "concurrency.fresh_thread", fail, "thread that has just begun"},
    {"waits_after_fork", "concurrency.fork", fail, "did not come back"},
    {"crashes_after_fork", "concurrency.fork", fail, "ended with signal 11"},
    {"gemm_accepts_negative", "errors.invalid", fail, "n = -1"},
    {"gemm_throws", "errors.invalid", crash, "threads = 0"},
    {"gemm_calls_sound_invalid", "errors.sound", fail, "a batch of 3"},
    {"gemm_aborts", "errors.sound", crash, "called abort, in the call A with a negative row stride"},
    {"gemm_refuses_silently", "errors.sentence", fail, "no sentence"},
    {"gemm_long_sentence", "errors.sentence", crash, "past the end of the message"},
    {"gemm_trusts_malloc", "errors.no_memory", crash, "SIGSEGV", true},
    {"apart_when_deep", "plan.blocks", fail, "C(0,"},
    {"apart_when_packed", "plan.packing", fail, "but"},
    {"keeps_sums", "plan.loop_order", fail, "n_k_m"},
    {"tiles_differ", "plan.tiles", fail, "2x3"},
    {"apart_when_shifted", "plan.placement", fail, "A, B and C 0, 8 and 0 bytes past a cache line"},
    {"apart_now_and_then", "plan.repetition", fail, "repetition"},
    {"knows_its_thread", "plan.threads", fail, "with 2 threads"},
    {"gemm_threads_share_k", "plan.threads", fail, "with 2 threads"},
    {"short_distance", "plan.far_strides", crash, "m=5"},

    {"exports_dgemm", "library.exports", fail, "exports dgemm_"},
    {"unique_symbol", "library.unique", fail, "faulty_calls is bound as STB_GNU_UNIQUE"},
    {"unnamed_library", "library.dependencies", fail, "takes cbrt"},
    {"two_openmp", "library.needed", warn, "2 runtimes of OpenMP"},
#if defined(__x86_64__)
    {"undeclared_instructions", "library.instructions", fail, "needs avx512", true},
#endif
    {"linked_with_fast_math", "library.float_control", fail, "Loading it turned"},
    {"destructor_is_gone", "library.thread_end", crash, "SIGSEGV"},
    {"stays_loaded", "library.unload", fail, "still there after it has been unloaded"},
    {"unique_symbol", "library.unload", fail, "still there after it has been unloaded"},
    {"keeps_thread", "library.unload", fail, "threads still run"},
    {"opens_file", "library.unload", fail, "30 open descriptors"},
    {"leaks_now_and_then", "library.memory", fail, "bytes of memory", true},
    {"leaks_each_thread", "library.memory", fail, "bytes of memory", true},

    // What a careless suite lets pass.
    {"all_nan", "result.integers", fail, "is nan"},
    {"loses_signs", "result.integers", fail, "expected"},
    {"first_entry_only", "result.integers", fail, "C("},

    // Whatever a kernel does to its worker is no pass.
    {"forges_answer", "result.integers", crash, "garbled answer"},
    {"forks", "result.integers", fail, "C("},
    {"floods_output", "result.integers", fail, "C("},
    {"eats_memory", "result.integers", crash, "SIGABRT"},
    {"closes_descriptors", "result.integers", crash, ""},
    {"overwrites_stack", "result.integers", crash, ""},
    {"stops_itself", "result.integers", timeout, "gave no answer"},
};

} // namespace

std::span<const Fault> all_faults() {
    return faults;
}

std::filesystem::path built_plugin(std::string_view folder, std::string_view name) {
    return std::filesystem::path(TESTS_BUILD) / folder / (std::string(name) + ".so");
}

} // namespace tests
