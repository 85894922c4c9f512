#include "conformance/product_case.hpp"

#include "conformance/text_writer.hpp"

namespace tune_gemm::host {
namespace {

void put_strides(TextWriter& out, char name, const Strides& strides, std::int64_t batch) noexcept {
    out.put(", {} rs {} cs {}", name, strides.row, strides.column);
    if (batch != 1)
        out.put(" bs {}", strides.batch);
}

std::size_t write_product(const void* what, char* out, std::size_t room) noexcept {
    return write_case(*static_cast<const ProductCase*>(what), out, room);
}

void set_strides(Strides& strides, bool column_major, std::int64_t rows, std::int64_t columns,
                 std::int64_t pad) {
    if (column_major)
        strides = {1, rows + pad, (rows + pad) * columns + pad};
    else
        strides = {columns + pad, 1, (columns + pad) * rows + pad};
}

} // namespace

std::size_t write_case(const ProductCase& product, char* out, std::size_t room) noexcept {
    TextWriter writer(out, room);
    const GemmProblem& problem = product.problem;
    writer.put("m={} n={} k={}", problem.m, problem.n, problem.k);
    if (problem.batch != 1)
        writer.put(" batch={}", problem.batch);
    if (problem.alpha != 1 || problem.beta != 0)
        writer.put(" alpha={} beta={}", problem.alpha, problem.beta);
    put_strides(writer, 'A', problem.a, problem.batch);
    put_strides(writer, 'B', problem.b, problem.batch);
    put_strides(writer, 'C', problem.c, problem.batch);
    const GemmCandidate& c = product.candidate;
    if (!product.whole_gemm) {
        writer.put(", driver with blocks {}x{}x{}, tile {}x{}, loops {}, packing {}", c.mc, c.nc, c.kc, c.mr,
                   c.nr, to_text(c.loop_order), to_text(c.packing));
    }
    writer.put(", {} data, {} an inaccessible page", to_text(product.recipe.family),
               product.placement == Placement::flush_end ? "ending at" : "beginning after");
    return writer.used();
}

CallNote note_of(const ProductCase& product) noexcept {
    return {write_product, &product};
}

void set_layout(GemmProblem& problem, int layouts, std::int64_t pad) {
    set_strides(problem.a, (layouts & 1) != 0, problem.m, problem.k, pad);
    set_strides(problem.b, (layouts & 2) != 0, problem.k, problem.n, pad);
    set_strides(problem.c, (layouts & 4) != 0, problem.m, problem.n, pad);
}

} // namespace tune_gemm::host
