#include <rondo/job/job.hpp>

#include "names.hpp"
#include "value_text.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace rondo::job {
namespace {

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& items) {
    std::vector<std::string> names;
    for (const Named& item : items) {
        names.push_back(item.name);
    }
    return names;
}

/// Where a job lists names that its library has too, they are the same.
void check_library(const Job& job, const std::string& key, const std::vector<std::string>& listed,
                   const std::vector<std::string>& of_library) {
    if (!listed.empty() && listed != of_library) {
        throw InputError{fmt::format("{} {} = [{}] are not those of the library (it has: {}); leave {} out",
                                     prefix(job, "model", key), key, join(listed), join(of_library), key)};
    }
}

void order_parameters(Job& job, const std::vector<std::string>& parameters) {
    check_entries(job, "parameters", "a parameter of the model", names_of(job.parameters), parameters, Every::yes);
    std::map<std::string, std::size_t> position;
    for (std::size_t i = 0; i < job.parameters.size(); ++i) {
        position[job.parameters[i].name] = i;
    }
    std::vector<gradient::Parameter> ordered;
    for (const std::string& name : parameters) {
        ordered.push_back(job.parameters[position.at(name)]);
    }
    job.parameters = std::move(ordered);
}

void number_events(Job& job, const std::vector<std::string>& states) {
    for (std::size_t i = 0; i < job.event_states.size(); ++i) {
        const std::string& name = job.event_states[i];
        const auto found = std::ranges::find(states, name);
        if (found == states.end()) {
            throw InputError{fmt::format("{} state = {} is not a state{}",
                                         prefix(job, fmt::format("model.events.{}", i + 1), "state"), in_quotes(name),
                                         known_words_hint(name, states))};
        }
        job.data.events[i].state = narrow<std::int32_t>(found - states.begin());
    }
}

void check_noise(const Job& job, const std::vector<std::string>& observables) {
    const model::LossSpec& loss = job.model.loss;
    if (!loss.sigma_of.empty()) {
        std::vector<std::string> given;
        for (const auto& [name, text] : loss.sigma_of) {
            given.push_back(name);
        }
        check_entries(job, "loss.sigma", "an observable", given, observables, Every::yes);
    }
    const bool is_given = !loss.sigma.empty() || !loss.sigma_of.empty();
    if (model::uses_sigma(loss.kind) && !is_given && !job.data.targets.empty()) {
        throw InputError{
            fmt::format("{} kind = \"{}\" needs sigma (generated targets have no sigma column); give it as a number or "
                        "an expression",
                        prefix(job, "loss", "kind"), model::name_of(loss.kind))};
    }
}

/// What the ensemble has to know of model and loss.
void fill_source(Job& job, const std::vector<std::string>& states, const std::vector<std::string>& observables) {
    const model::LossSpec& loss = job.model.loss;
    ensemble::Source& source = job.data;
    const bool has_labels = loss.kind == model::LossKind::cross_entropy;
    source.states = states;
    source.initial_time = job.initial_time;
    source.columns = has_labels ? std::vector<std::string>{"label"} : observables;
    source.n_classes = has_labels ? observables.size() : 0;
    source.needs_positive = loss.kind == model::LossKind::lognormal;
    source.needs_sigma = model::uses_sigma(loss.kind) && loss.sigma.empty() && loss.sigma_of.empty();
    if (has_labels && observables.size() < 2) {
        throw InputError{
            fmt::format("{} kind = \"cross_entropy\" needs at least two observables (one a class), the model has {}",
                        prefix(job, "loss", "kind"), observables.size())};
    }
    std::vector<std::string> targets;
    for (const ensemble::Formula& target : source.targets) {
        if (!target.name.empty()) {
            targets.push_back(target.name);
        }
    }
    check_entries(job, "ensemble.targets", has_labels ? "the data's column" : "an observable", targets, source.columns,
                  Every::no);
    if (!source.times.empty() && source.times.front() < job.initial_time) {
        throw InputError{fmt::format("{} times: {} is before model.initial_time = {}; start later",
                                     prefix(job, "ensemble", "times"), number_text(source.times.front()),
                                     number_text(job.initial_time))};
    }
}

} // namespace

void complete(Job& job, const std::vector<std::string>& states, const std::vector<std::string>& parameters,
              const std::vector<std::string>& observables) {
    check_library(job, "states", job.model.states, states);
    check_library(job, "parameters", job.model.parameters, parameters);
    check_names(job, states, parameters);
    if (job.model.library.empty()) {
        check_entries(job, "model.rates", "a state", names_of(job.model.rates), states, Every::yes);
        check_entries(job, "model.initial", "a state", names_of(job.model.initial), states, Every::yes);
    }
    number_events(job, states);
    order_parameters(job, parameters);
    std::vector<std::string> columns = names_of(job.model.observables);
    if (columns.empty()) {
        columns = observables.empty() ? states : observables;
    }
    check_noise(job, columns);
    fill_source(job, states, columns);
    job.model.states = states;
    job.model.parameters = parameters;
}

void require_trainable(const Job& job) {
    if (!job.has_data) {
        throw InputError{
            fmt::format("{}: there is nothing to fit ([ensemble] has neither target nor targets); give one, or [data] "
                        "file instead of [ensemble]",
                        job.model.where)};
    }
    if (std::ranges::none_of(job.parameters, &gradient::Parameter::estimated)) {
        throw InputError{
            fmt::format("{}: [parameters] has no estimated parameter (every one is fixed); write one as a table, for "
                        "instance name = {{ initial = 1.0 }}",
                        job.model.where)};
    }
}

} // namespace rondo::job
