#include "readers.hpp"

#include "value_text.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace rondo::job {

const TableKeys& train_keys() {
    static const optimise::Options rule;
    static const train::Options run;
    static const TableKeys keys{
        "train",
        {
            word("optimizer", std::string{optimise::name_of(rule.rule)}, optimise::rule_names(), "The update rule."),
            shown_as(several("learning_rate", "a number above 0, or a table with a schedule", "Size of the updates."),
                     number_text(optimise::Schedule{}.initial)),
            whole("epochs", run.epochs, from_to(1, 1e9), "How often every trajectory is used."),
            shown_as(whole("batch_size", run.batch_size, at_least(1),
                           "Trajectories of one update; of one rank under weak scaling."),
                     "all"),
            flag("shuffle", run.shuffle, "Whether every epoch has its own order."),
            whole("seed", narrow<std::int64_t>(run.seed), at_least(0),
                  "Seed of the order and of the held-out trajectories."),
            whole("validate_every", run.validate_every, at_least(1), "Epochs from one validation to the next."),
            shown_as(table("early_stopping", "Ends the run when the validation loss no longer falls."), "none"),
            number("beta1", rule.beta1, from_below(0, 1), "adam, adamw: memory of the gradient's mean."),
            number("beta2", rule.beta2, from_below(0, 1), "adam, adamw: memory of the gradient's mean square."),
            number("epsilon", rule.epsilon, above(0),
                   "adagrad, rmsprop, adam, adamw: added to the root in the denominator."),
            number("momentum", rule.momentum, from_below(0, 1),
                   "momentum, nesterov: part of the velocity that is kept."),
            number("rho", rule.rho, from_below(0, 1), "rmsprop: memory of the mean square."),
            number(
                "weight_decay", rule.weight_decay, at_least(0),
                "Pulls the coordinates to 0: decoupled in adamw, else half of it times their squares joins the loss."),
            whole("memory", narrow<std::int64_t>(rule.memory), from_to(1, 1000), "lbfgs: pairs that are kept."),
            number("initial_damping", rule.initial_damping, above(0),
                   "levenberg_marquardt: first damping, relative to the diagonal."),
            number("gradient_tolerance", rule.gradient_tolerance, at_least(0),
                   "lbfgs, levenberg_marquardt: ends on a gradient so small, relative to the loss."),
            number("step_tolerance", rule.step_tolerance, at_least(0),
                   "lbfgs, levenberg_marquardt: ends on a step so small, relative to the point."),
            number("loss_tolerance", rule.loss_tolerance, at_least(0),
                   "lbfgs, levenberg_marquardt: ends on a change of the loss so small, relative to it."),
            shown_as(number_if("clip_norm", above(0), "Largest Euclidean norm of the gradient."), "none"),
            shown_as(number_if("clip_value", above(0), "Largest magnitude of an entry of the gradient."), "none"),
        }};
    return keys;
}

const TableKeys& early_stopping_keys() {
    static const train::EarlyStopping defaults;
    static const TableKeys keys{
        "train.early_stopping",
        {
            whole("patience", defaults.patience, at_least(1),
                  "Epochs without an improvement after which the run ends."),
            number("min_delta", defaults.min_delta, at_least(0), "How much lower a loss has to be to count as one."),
        }};
    return keys;
}

namespace {

using optimise::Rule;

struct RuleKey {
    const char* key;
    std::vector<Rule> rules; ///< that use it
};

/// Keys that not every rule uses.
const std::vector<RuleKey>& rule_keys() {
    static const std::vector<Rule> of_gradients{Rule::sgd,     Rule::momentum, Rule::nesterov, Rule::adagrad,
                                                Rule::rmsprop, Rule::adam,     Rule::adamw};
    static const std::vector<Rule> of_losses{Rule::lbfgs, Rule::levenberg_marquardt};
    static const std::vector<Rule> with_rate{Rule::sgd,     Rule::momentum, Rule::nesterov, Rule::adagrad,
                                             Rule::rmsprop, Rule::adam,     Rule::adamw,    Rule::lbfgs};
    static const std::vector<RuleKey> keys{
        {"learning_rate", with_rate},
        {"batch_size", of_gradients},
        {"beta1", {Rule::adam, Rule::adamw}},
        {"beta2", {Rule::adam, Rule::adamw}},
        {"epsilon", {Rule::adagrad, Rule::rmsprop, Rule::adam, Rule::adamw}},
        {"momentum", {Rule::momentum, Rule::nesterov}},
        {"rho", {Rule::rmsprop}},
        {"memory", {Rule::lbfgs}},
        {"initial_damping", {Rule::levenberg_marquardt}},
        {"gradient_tolerance", of_losses},
        {"step_tolerance", of_losses},
        {"loss_tolerance", of_losses},
        {"clip_norm", of_gradients},
        {"clip_value", of_gradients},
    };
    return keys;
}

void refuse_unused(const TableReader& reader, Rule rule) {
    for (const auto& [key, rules] : rule_keys()) {
        if (std::ranges::find(rules, rule) != rules.end()) {
            continue;
        }
        std::vector<std::string> users;
        for (const Rule user : rules) {
            users.emplace_back(optimise::name_of(user));
        }
        const std::string why =
            std::string{key} == "batch_size"
                ? fmt::format(
                      "optimizer = \"{}\" compares losses and so takes all trajectories in every update; these take "
                      "batches: {}",
                      optimise::name_of(rule), join(users))
                : fmt::format("optimizer = \"{}\" does not use it; these do: {}", optimise::name_of(rule), join(users));
        reader.refuse(key, why, "leave it out or choose one of these");
    }
}

void read_rule(TableReader& reader, optimise::Options& options) {
    options.beta1 = reader.number("beta1");
    options.beta2 = reader.number("beta2");
    options.epsilon = reader.number("epsilon");
    options.momentum = reader.number("momentum");
    options.rho = reader.number("rho");
    options.weight_decay = reader.number("weight_decay");
    options.memory = narrow<std::size_t>(reader.whole("memory"));
    options.initial_damping = reader.number("initial_damping");
    options.gradient_tolerance = reader.number("gradient_tolerance");
    options.step_tolerance = reader.number("step_tolerance");
    options.loss_tolerance = reader.number("loss_tolerance");
    options.clip_norm = reader.number_if("clip_norm");
    options.clip_value = reader.number_if("clip_value");
    optimise::validate(options, reader.table_subject());
}

void read_early_stopping(TableReader& train, Job& job) {
    const toml::node* node = train.node("early_stopping");
    train.context().record("train", "early_stopping", node != nullptr ? "true" : "false");
    if (node == nullptr) {
        return;
    }
    TableReader reader{train.context(), early_stopping_keys(), node};
    job.train.early_stopping =
        train::EarlyStopping{.patience = reader.whole("patience"), .min_delta = reader.number("min_delta")};
    reader.finish();
}

} // namespace

void read_train(Context& context, const toml::node* node, Job& job) {
    TableReader reader{context, train_keys(), node};
    train::Options& options = job.train;
    options.optimiser.rule = *optimise::rule_from(reader.word("optimizer"));
    refuse_unused(reader, options.optimiser.rule);
    if (options.optimiser.rule == Rule::levenberg_marquardt && job.model.loss.kind == model::LossKind::cross_entropy) {
        throw InputError{
            fmt::format("{} = \"levenberg_marquardt\" does not go with [loss] kind = \"cross_entropy\" (it needs a "
                        "loss made of residuals); choose another optimizer, for instance lbfgs",
                        reader.subject("optimizer"))};
    }
    read_learning_rate(reader, job);
    options.epochs = reader.whole("epochs");
    options.batch_size = reader.whole("batch_size");
    options.shuffle = reader.flag("shuffle");
    options.seed = narrow<std::uint64_t>(reader.whole("seed"));
    options.validate_every = reader.whole("validate_every");
    read_early_stopping(reader, job);
    read_rule(reader, options.optimiser);
    reader.finish();
}

} // namespace rondo::job
