#include "readers.hpp"

#include "value_text.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace rondo::job {

const TableKeys& loss_keys() {
    static const TableKeys keys{
        "loss",
        {
            word("kind", std::string{model::name_of(model::LossSpec{}.kind)}, model::loss_names(),
                 "How one observed point is compared with the model."),
            shown_as(several("sigma", "an expression, a number, or a table of them by observable",
                             "Noise scale of gaussian, lognormal and laplace."),
                     "the data's sigma column"),
            number("delta", model::LossSpec{}.delta, above(0),
                   "Where huber turns from a square to a line, in units of the data."),
            word("reduction", "mean", {"mean", "sum"}, "How the losses of the trajectories become one."),
        }};
    return keys;
}

namespace {

/// The losses with a noise scale, for messages.
std::string losses_with_sigma() {
    std::vector<std::string> words;
    for (const std::string& name : model::loss_names()) {
        if (model::uses_sigma(*model::loss_from(name))) {
            words.push_back(name);
        }
    }
    return join(words);
}

void read_sigma(TableReader& reader, model::LossSpec& loss) {
    const toml::node* node = reader.node("sigma");
    if (node == nullptr || !node->is_table()) {
        loss.sigma = expression_of(reader, "sigma");
        return;
    }
    for (const model::Definition& one : read_formulas(reader.context(), node, "loss.sigma")) {
        loss.sigma_of[one.name] = one.text;
    }
    if (loss.sigma_of.empty()) {
        throw InputError{
            fmt::format("{} is an empty table (an entry for every observable is wanted)", reader.subject("sigma"))};
    }
}

} // namespace

void read_loss(Context& context, const toml::node* node, Job& job) {
    TableReader reader{context, loss_keys(), node};
    model::LossSpec& loss = job.model.loss;
    const std::string kind = reader.word("kind");
    loss.kind = *model::loss_from(kind);
    if (!model::uses_sigma(loss.kind)) {
        reader.refuse("sigma",
                      fmt::format("kind = {} has no noise scale; these have: {}", in_quotes(kind), losses_with_sigma()),
                      "leave it out or choose one of these");
    }
    read_sigma(reader, loss);
    if (loss.kind != model::LossKind::huber) {
        reader.refuse("delta", fmt::format("kind = {} has no delta, only huber has", in_quotes(kind)), "leave it out");
    }
    loss.delta = reader.number("delta");
    job.gradient.reduction = reader.word("reduction") == "mean" ? gradient::Reduction::mean : gradient::Reduction::sum;
    reader.finish();
}

} // namespace rondo::job
