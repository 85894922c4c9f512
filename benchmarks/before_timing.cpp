// What a candidate costs before it is timed for the first time: it multiplies the shape and its
// neighbours in a worker, and each product is judged. The first candidate of a plugin also starts the worker,
// loads the plugin, and makes operands and references, which the others find there.
#include "measure/clock.hpp"
#include "runtime/registry.hpp"
#include "tune/selection.hpp"
#include "tune/worker_measurer.hpp"

#include <tune_gemm/error.hpp>
#include <tune_gemm/grid.hpp>
#include <tune_gemm/shape.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

double ms(std::int64_t ns) {
    return static_cast<double>(ns) * 1e-6;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.at(values.size() / 2);
}

/// Milliseconds for the products of these shapes.
double validate(WorkerMeasurer& measurer, const GemmCandidate& candidate,
                const std::vector<GemmShape>& shapes) {
    const std::int64_t start = now_ns();
    for (const GemmShape& shape : shapes) {
        const auto measured = measurer.validate(candidate, shape, std::numeric_limits<std::int64_t>::max());
        const auto* judgement = std::get_if<Judgement>(&measured);
        if (judgement == nullptr || !judgement->correct)
            throw_bad_input(fmt::format("The candidate {} is not right at {}.", candidate_id(candidate),
                                        shape_text(shape)));
    }
    return ms(now_ns() - start);
}

int run(const std::string& text, const std::string& kernel, int runs) {
    const GemmShape shape = parse_shape(text);
    RegistryOptions registry_options;
    registry_options.allow_unsafe_path = true;
    const Registry registry = open_registry(registry_options);
    std::vector<GemmCandidate> grid = enumerate_gemm_candidates();
    if (!kernel.empty())
        for (GemmCandidate& candidate : grid)
            candidate.microkernel_id = kernel;
    const Selection selection = select_candidates(grid, shape, default_workspace_limit, registry.catalogue);
    if (selection.distinct.size() < 2)
        throw_bad_input(fmt::format("The default grid has no two candidates of this kernel: {}",
                                    dropped_text(selection)));
    std::vector<double> started, first, others;
    for (int count = 0; count < runs; ++count) {
        WorkerMeasurer measurer(registry, {});
        started.push_back(validate(measurer, selection.distinct.front().candidate, {GemmShape{1, 1, 1}}));
        bool is_first = true;
        for (const Distinct& distinct : selection.distinct) {
            (is_first ? first : others)
                .push_back(validate(measurer, distinct.candidate, shapes_to_validate(distinct, shape)));
            is_first = false;
        }
    }
    fmt::print("{}, {} distinct candidates of the default grid, {} runs; medians\n", text,
               selection.distinct.size(), runs);
    fmt::print("  once a plugin: worker started, plugin loaded  {:8.2f} ms\n", median(started));
    fmt::print("  once a shape: the first candidate's products,\n"
               "  with operands and references made              {:7.2f} ms\n",
               median(first));
    fmt::print("  each further candidate                         {:7.2f} ms (largest {:.2f} ms)\n",
               median(others), *std::max_element(others.begin(), others.end()));
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    std::string shape = "64x64x64", kernel = "scalar";
    int runs = 20;
    CLI::App app("What a candidate costs before it is timed");
    app.add_option("--shape", shape)->type_name("MxNxK")->capture_default_str();
    app.add_option("--kernel", kernel)->type_name("ID")->capture_default_str();
    app.add_option("--runs", runs)->type_name("N")->check(CLI::Range(1, 1000))->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        return run(shape, kernel, runs);
    } catch (const Error& error) {
        fmt::print(stderr, "before_timing: {}\n", error.what());
        return 2;
    }
}
