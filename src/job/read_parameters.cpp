#include "readers.hpp"

#include "ordered.hpp"
#include "place.hpp"
#include "value_text.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <cmath>

namespace rondo::job {

const TableKeys& parameter_keys() {
    static const TableKeys keys{
        "parameters.<parameter>",
        {
            required(number("initial", 0, any_number(), "Where the training starts, or the value of a fixed one.")),
            shown_as(number_if("lower", any_number(), "Lower bound, never reached."), "none"),
            shown_as(number_if("upper", any_number(), "Upper bound, never reached."), "none"),
            word("scale", std::string{optimise::name_of(optimise::Transform{}.scale)}, optimise::scale_names(),
                 "Scale on which the parameter is estimated."),
            text("prior",
                 "Distribution on that scale, such as normal(0, 1); its negative logarithm is added to the loss."),
            flag("fixed", false, "Keeps the parameter at initial, as if it were written as a number."),
        }};
    return keys;
}

namespace {

void check_bounds(const TableReader& reader, const optimise::Transform& transform, double initial) {
    const bool is_log = transform.scale != optimise::Scale::linear;
    const std::string scale{optimise::name_of(transform.scale)};
    if (is_log && !(initial > 0)) {
        throw InputError{fmt::format("{} = {} is out of range (on the scale {} a number above 0 is wanted)",
                                     reader.subject("initial"), number_text(initial), scale)};
    }
    if (is_log && reader.has("lower") && !(transform.lower >= 0)) {
        throw InputError{
            fmt::format("{} = {} is out of range (on the scale {} a number of at least 0 is wanted; 0 is no bound)",
                        reader.subject("lower"), number_text(transform.lower), scale)};
    }
    if (!(transform.lower < transform.upper)) {
        throw InputError{fmt::format("{} = {} is not below upper = {}; swap them or widen the bounds",
                                     reader.subject("lower"), number_text(transform.lower),
                                     number_text(transform.upper))};
    }
    if (!(transform.lower < initial && initial < transform.upper)) {
        throw InputError{fmt::format("{} = {} is not strictly inside its bounds (lower = {}, upper = {})",
                                     reader.subject("initial"), number_text(initial), number_text(transform.lower),
                                     number_text(transform.upper))};
    }
    optimise::validate(transform, initial, reader.table_subject());
}

gradient::Parameter from_table(Context& context, const std::string& name, const toml::node& node) {
    TableReader reader{context, parameter_keys(), &node, "parameters." + name};
    gradient::Parameter parameter;
    parameter.name = name;
    parameter.initial = reader.number("initial");
    optimise::Transform& transform = parameter.transform;
    transform.lower = reader.number_if("lower").value_or(transform.lower);
    transform.upper = reader.number_if("upper").value_or(transform.upper);
    transform.scale = *optimise::scale_from(reader.word("scale"));
    check_bounds(reader, transform, parameter.initial);
    const std::string prior = reader.text("prior");
    if (reader.has("prior")) {
        parameter.prior = optimise::parse_prior(prior, reader.table_subject("prior"));
        const double scaled = optimise::to_scaled(transform.scale, parameter.initial);
        if (!std::isfinite(optimise::negative_log(*parameter.prior, scaled))) {
            throw InputError{
                fmt::format("{} prior = \"{}\" excludes the initial value {} (on the parameter's scale {}; the "
                            "loss would be infinite there); change one of them",
                            reader.table_subject("prior"), prior, number_text(parameter.initial), number_text(scaled))};
        }
    }
    parameter.estimated = !reader.flag("fixed");
    if (!parameter.estimated) {
        parameter.prior.reset();
    }
    reader.finish();
    return parameter;
}

gradient::Parameter from_number(Context& context, const std::string& name, const toml::node& node) {
    const std::string about = subject(place(node.source(), context.file), "parameters", name);
    const std::optional<double> value = finite_number(node);
    if (!value) {
        throw InputError{
            fmt::format("{} = {} is {} (a finite number is wanted for a fixed parameter, or a table such as {{ "
                        "initial = 1.0 }} for an estimated one)",
                        about, shown(node), node.is_number() ? "not finite" : kind_text(node))};
    }
    gradient::Parameter parameter;
    parameter.name = name;
    parameter.initial = *value;
    // As the table { initial = ..., fixed = true } would be recorded.
    context.record("parameters." + name, "initial", number_text(*value));
    for (const Key& key : parameter_keys().keys) {
        if (key.name != "initial") {
            const bool is_shown = key.fallback_text.empty();
            context.record("parameters." + name, key.name,
                           key.name == "fixed" ? "true"
                           : is_shown          ? fallback_text(key)
                                               : "");
        }
    }
    return parameter;
}

} // namespace

void read_parameters(Context& context, const toml::node* node, Job& job) {
    if (node == nullptr) {
        return;
    }
    context.places["parameters"] = place(node->source(), context.file);
    for (const Entry& entry : in_file_order(*node->as_table())) {
        context.places["parameters." + entry.name] = place(entry.node->source(), context.file);
        job.parameters.push_back(entry.node->is_table() ? from_table(context, entry.name, *entry.node)
                                                        : from_number(context, entry.name, *entry.node));
    }
}

} // namespace rondo::job
