#include "readers.hpp"

#include "place.hpp"
#include "value_text.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>

#include <fmt/format.h>

namespace rondo::job {

const TableKeys& event_keys() {
    static const TableKeys keys{
        "model.events",
        {
            required(several("state", "the name of a state", "The state that changes.")),
            word("action", "add", {"add", "multiply", "replace"},
                 "Whether amount is added, multiplies or replaces the state."),
            required(several("times", "a list of numbers and expressions in covariates and index", "When it happens.")),
            required(several("amount", "a number or an expression in t, parameters and covariates", "By how much.")),
        }};
    return keys;
}

namespace {

ensemble::Action action_named(const std::string& name) {
    if (name == "add") {
        return ensemble::Action::add;
    }
    return name == "multiply" ? ensemble::Action::multiply : ensemble::Action::replace;
}

std::vector<ensemble::Formula> event_times(TableReader& reader) {
    reader.require("times");
    const toml::node* node = reader.node("times");
    if (!node->is_array()) {
        reader.wrong_type("times");
    }
    const toml::array& list = *node->as_array();
    if (list.empty()) {
        throw InputError{fmt::format("{} is empty (an event happens at least once); give its times or leave it out",
                                     reader.subject("times"))};
    }
    std::vector<ensemble::Formula> times;
    for (const toml::node& item : list) {
        const std::optional<std::string> text = expression_text(item);
        if (!text) {
            throw InputError{
                fmt::format("{}: {} is {} (a finite number or an expression in covariates and index is wanted)",
                            reader.subject("times"), shown(item),
                            item.is_string()   ? "blank"
                            : item.is_number() ? "not finite"
                                               : kind_text(item))};
        }
        times.push_back({.name = "time", .text = *text, .where = reader.subject("times")});
    }
    reader.context().record(reader.name(), "times", value_text(list));
    return times;
}

} // namespace

void read_events(Context& context, const toml::node* node, Job& job) {
    if (node == nullptr) {
        return;
    }
    for (const toml::node& item : *node->as_array()) {
        const std::string path = fmt::format("model.events.{}", job.data.events.size() + 1);
        if (!item.is_table()) {
            throw InputError{
                fmt::format("{}: [model] events: {} is {} (a table is wanted, written as [[model.events]])",
                            place(item.source(), context.file), shown(item), kind_text(item))};
        }
        TableReader reader{context, event_keys(), &item, path};
        reader.require("state");
        const toml::node* state = reader.node("state");
        if (!state->is_string()) {
            reader.wrong_type("state");
        }
        job.event_states.push_back(state->as_string()->get());
        context.record(path, "state", job.event_states.back());
        ensemble::EventRule rule;
        rule.action = action_named(reader.word("action"));
        rule.times = event_times(reader);
        reader.require("amount");
        rule.amount = narrow<std::int32_t>(job.model.amounts.size());
        job.model.amounts.push_back({.name = fmt::format("amount{}", rule.amount + 1),
                                     .text = expression_of(reader, "amount"),
                                     .where = reader.subject("amount")});
        job.data.events.push_back(rule);
        reader.finish();
    }
}

} // namespace rondo::job
