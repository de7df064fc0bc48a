#include "model/absorption.hpp"
#include "model/kernels.hpp"
#include "model/library.hpp"
#include "model/specs.hpp"

#include <rondo/model/system.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace rondo::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::size_t> all_six{0, 1, 2, 3, 4, 5};

/// `absorption` with its equations from C++; the events and the noise stay text.
Spec absorption_from(const std::filesystem::path& library) {
    Spec spec = absorption();
    spec.library = library;
    spec.states = spec.parameters = {};
    spec.expressions = spec.rates = spec.initial = spec.observables = {};
    return spec;
}

/// The graph of the functor above, traced by this program.
System traced_absorption(const Spec& spec) {
    const TracedFunctor<Absorbed> traced;
    const Library library = copy_model(traced.model(), "in memory", spec.where);
    System system{.states = library.states,
                  .parameters = library.parameters,
                  .covariates = spec.covariates,
                  .observables = library.observables};
    const ImportedNodes nodes = import_nodes(library, spec, system.graph);
    system.rates = nodes.rates;
    system.initial = nodes.initial;
    system.outputs = nodes.observables;
    system.outputs.insert(system.outputs.end(), 2, system.graph.constant(1.0));
    return system;
}

void expect_same_kernels(const Model& ours, const Model& theirs) {
    for (const bool later : {false, true}) {
        Point at = absorption_point(later);
        at.seed = seeds(12);
        for (std::size_t kind = 0; kind < n_kernel_kinds; ++kind) {
            const auto value = evaluate(ours, KernelKind{kind}, at);
            const auto expected = evaluate(theirs, KernelKind{kind}, at);
            ASSERT_EQ(value.size(), expected.size());
            for (std::size_t i = 0; i < value.size(); ++i) {
                EXPECT_NEAR(value[i], expected[i], 1e-14 * (1 + std::abs(expected[i])))
                    << "kernel " << kind << ", entry " << i;
            }
        }
    }
}

TEST(TracedFunctor, says_the_names_of_the_model) {
    const TracedFunctor<Absorbed> traced;
    const Library library = copy_model(traced.model(), "in memory", "job.toml");
    EXPECT_THAT(library.states, ElementsAre("gut", "plasma"));
    EXPECT_THAT(library.parameters, ElementsAre("ka", "cl", "v", "f", "vm", "sd"));
    EXPECT_THAT(library.covariates, ElementsAre("dose", "weight"));
    EXPECT_THAT(library.observables, ElementsAre("level", "effect"));
}

TEST(TracedFunctor, has_the_kernels_of_the_same_model_as_text) {
    Spec text = absorption();
    text.amounts = {};
    text.loss = {};
    System traced = traced_absorption(text);
    const auto programs = derive(traced, all_six);
    const Model model =
        make_model(traced, text.loss, all_six, interpreted_kernels(traced, programs));
    expect_same_kernels(model, interpreted_model(text, all_six));
}

TEST(TracedFunctor, leaves_nothing_behind_for_the_next) {
    const TracedFunctor<Absorbed> first, second;
    EXPECT_EQ(first.model().n_nodes, second.model().n_nodes);
    EXPECT_TRUE(trace().empty());
}

TEST(ModelLibrary, has_the_kernels_of_the_same_model_as_text) {
    const Model model = interpreted_model(absorption_from(RONDO_GOOD_MODEL), all_six);
    EXPECT_THAT(model.observables, ElementsAre("level", "effect"));
    EXPECT_EQ(model.n_amounts, 2U);
    expect_same_kernels(model, interpreted_model(absorption(), all_six));
}

TEST(ModelLibrary, gives_way_to_observables_of_the_job) {
    Spec spec = absorption_from(RONDO_GOOD_MODEL);
    spec.loss = {};
    spec.observables = {{"total", "gut + plasma", "job.toml: [model.observables] total"}};
    const Model model = interpreted_model(spec, {});
    const Point at = absorption_point(false);
    EXPECT_THAT(model.observables, ElementsAre("total"));
    EXPECT_THAT(evaluate(model, KernelKind::outputs, at), ElementsAre(at.x[0] + at.x[1], 1));
}

TEST(ModelLibrary, says_its_names_before_the_job_is_complete) {
    const LibraryNames names = library_names(RONDO_GOOD_MODEL, "job.toml");
    EXPECT_THAT(names.states, ElementsAre("gut", "plasma"));
    EXPECT_THAT(names.parameters, ElementsAre("ka", "cl", "v", "f", "vm", "sd"));
    EXPECT_THAT(names.covariates, ElementsAre("dose", "weight"));
    EXPECT_THAT(names.observables, ElementsAre("level", "effect"));
}

TEST(ModelLibrary, that_is_not_there_is_refused) {
    const std::string message = refusal([] { return load_library("nowhere/libmine.so", "job.toml"); });
    EXPECT_THAT(message, StartsWith("job.toml: [model] library \"nowhere/libmine.so\" cannot be opened ("));
    EXPECT_THAT(message, HasSubstr("No such file or directory"));
    EXPECT_THAT(message, testing::EndsWith("; give the path of a shared object built with rondo_add_model"));
}

TEST(ModelLibrary, that_is_no_shared_object_is_refused) {
    const auto file = std::filesystem::path{testing::TempDir()} / "rondo_not_a_library.so";
    std::ofstream{file} << "states = [\"gut\"]\n";
    const std::string message = refusal([&] { return load_library(file, "job.toml"); });
    EXPECT_THAT(message, StartsWith("job.toml: [model] library \"" + file.string() + "\" cannot be opened ("));
    std::filesystem::remove(file);
}

TEST(ModelLibrary, without_a_model_is_refused) {
    EXPECT_EQ(refusal([] { return load_library(RONDO_NO_MODEL, "job.toml"); }),
              "job.toml: [model] library \"" RONDO_NO_MODEL "\" has no function rondo_model (its source needs the line "
              "RONDO_MODEL(Name)); build it again with rondo_add_model of this rondo");
}

TEST(ModelLibrary, of_another_interface_version_is_refused) {
    const TracedFunctor<Absorbed> traced;
    abi::TracedModel model = traced.model();
    model.version = abi::version + 1;
    EXPECT_EQ(refusal([&] { return copy_model(model, "libold.so", "job.toml"); }),
              "job.toml: [model] library \"libold.so\" was built for model interface 2, this rondo has 1; build it "
              "again with "
              "rondo_add_model of this rondo");
}

TEST(ModelLibrary, with_a_broken_graph_is_refused) {
    const TracedFunctor<Absorbed> traced;
    std::vector<abi::TracedNode> nodes{traced.model().nodes, traced.model().nodes + traced.model().n_nodes};
    const auto message_with = [&](const auto& damage) {
        auto damaged = nodes;
        abi::TracedModel model = traced.model();
        damage(damaged, model);
        model.nodes = damaged.data();
        return refusal([&] { return copy_model(model, "libmine.so", "job.toml"); });
    };
    const std::string expected =
        "job.toml: [model] library \"libmine.so\" describes an inconsistent model; build it again with "
        "rondo_add_model of this rondo";
    const auto last = nodes.size() - 1;
    ASSERT_GT(expression::arity(static_cast<expression::Op>(nodes[last].op)), 0);
    EXPECT_EQ(message_with([&](auto& all, auto&) { all[last].argument[0] = static_cast<std::uint32_t>(last); }),
              expected);
    EXPECT_EQ(message_with([&](auto& all, auto&) { all[last].op = 200; }), expected);
    EXPECT_EQ(
        message_with([&](auto& all, auto&) { all[1].input = static_cast<std::uint8_t>(expression::Input::normal); }),
        expected);
    EXPECT_EQ(message_with([&](auto& all, auto&) { all[1].index = 99; }), expected);
    EXPECT_EQ(message_with([&](auto&, abi::TracedModel& model) { --model.rates.n; }), expected);
    EXPECT_EQ(message_with([&](auto&, abi::TracedModel& model) { model.n_nodes = 2; }), expected);
}

TEST(ModelLibrary, whose_covariate_the_data_lack_is_refused) {
    Spec spec = absorption_from(RONDO_GOOD_MODEL);
    spec.covariates = {"index", "weights", "dose"};
    EXPECT_EQ(refusal([&] { return build_system(spec); }),
              "job.toml: [model] library \"" RONDO_GOOD_MODEL
              "\" needs the covariate \"weight\", which the ensemble does not have "
              "(known: dose, index, weights); did you mean \"weights\"?");
}

TEST(ModelLibrary, that_names_an_observable_twice_is_refused) {
    EXPECT_EQ(refusal([] { return build_system(absorption_from(RONDO_DOUBLED_MODEL)); }),
              "job.toml: [model] library \"" RONDO_DOUBLED_MODEL
              "\" names the observable \"level\" twice; rename one in its source");
}

} // namespace
} // namespace rondo::model
