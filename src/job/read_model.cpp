#include "readers.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>

namespace rondo::job {

const TableKeys& model_keys() {
    static const TableKeys keys{
        "model",
        {
            names("states", "Names of the states, in the order of results."),
            names("parameters", "Names of all parameters, fixed and estimated."),
            path("library", "Shared object of a model in C++; it brings states, parameters, rates and initial values."),
            number("initial_time", 0.0, any_number(), "Time at which the initial values hold."),
            table("expressions", "Named helpers that the other expressions may use."),
            table("rates", "Time derivative of each state."),
            table("initial", "Value of each state at initial_time."),
            table("observables", "What the data measure; without it each state as itself."),
            several("events", "a list of [[model.events]] tables",
                    "Changes of a state at known times, for every trajectory."),
        }};
    return keys;
}

void read_model(Context& context, const toml::node* node, Job& job) {
    TableReader reader{context, model_keys(), node};
    model::Spec& spec = job.model;
    spec.where = context.file;
    spec.library = reader.path("library");
    if (!spec.library.empty()) {
        const std::string because = "the library gives the model's equations";
        const std::string instead = "leave out the key, or library";
        reader.refuse("rates", because, instead);
        reader.refuse("initial", because, instead);
    } else {
        reader.require("states", ", or library = \"...\" for a model in C++,");
        reader.require("rates");
        reader.require("initial");
    }
    spec.states = reader.names("states");
    spec.parameters = reader.names("parameters");
    if (reader.has("states") && spec.states.empty()) {
        throw InputError{fmt::format("{} is empty (a model has at least one state)", reader.subject("states"))};
    }
    job.initial_time = reader.number("initial_time");
    spec.expressions = read_formulas(context, reader.node("expressions"), "model.expressions");
    spec.rates = read_formulas(context, reader.node("rates"), "model.rates");
    spec.initial = read_formulas(context, reader.node("initial"), "model.initial");
    spec.observables = read_formulas(context, reader.node("observables"), "model.observables");
    const toml::node* events = reader.node("events");
    if (events != nullptr && !events->is_array()) {
        reader.wrong_type("events");
    }
    read_events(context, events, job);
    reader.finish();
}

} // namespace rondo::job
