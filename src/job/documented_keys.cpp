#include <rondo/job/keys.hpp>

#include "keys.hpp"

namespace rondo::job {

const std::vector<TableKeys>& free_tables() {
    static const std::string expression = "an expression: a string or a number";
    static const std::vector<TableKeys> tables{
        {"model.expressions",
         {several("<name>", expression, "A helper in t, states, parameters, covariates and other helpers.")}},
        {"model.rates", {required(several("<state>", expression, "The state's time derivative."))}},
        {"model.initial",
         {required(several("<state>", expression, "The state's first value, in parameters and covariates."))}},
        {"model.observables", {several("<observable>", expression, "What a data column of this name measures.")}},
        {"loss.sigma", {several("<observable>", expression, "The observable's noise scale.")}},
        {"ensemble.targets",
         {several("<observable>", expression, "What the observable should be, in t, index and covariates.")}},
        {"ensemble.covariates",
         {several("<covariate>", expression,
                  "In index, earlier covariates, uniform(a, b), normal(mean, sd), lognormal(mu, sigma).")}},
        {"parameters",
         {required(several("<parameter>", "a number (fixed) or a table (estimated)",
                           "The parameter's value, or how it is estimated."))}},
    };
    return tables;
}

namespace {

void append(std::vector<KeyDoc>& docs, const TableKeys& keys) {
    for (const Key& key : keys.keys) {
        const bool is_word = key.kind == Kind::word;
        const std::string range = key.range.text();
        docs.push_back({.table = keys.table,
                        .key = key.name,
                        .type = is_word ? "a word" : wanted(key).substr(0, wanted(key).size() - range.size()),
                        .fallback = fallback_text(key),
                        .required = key.required,
                        .allowed = is_word         ? wanted(key)
                                   : range.empty() ? ""
                                                   : range.substr(1),
                        .sentence = key.sentence});
    }
}

void append_free(std::vector<KeyDoc>& docs, const std::string& first_part) {
    for (const TableKeys& keys : free_tables()) {
        if (keys.table.substr(0, keys.table.find('.')) == first_part) {
            append(docs, keys);
        }
    }
}

} // namespace

std::vector<KeyDoc> documented_keys() {
    std::vector<KeyDoc> docs;
    append(docs, top_keys());
    append(docs, model_keys());
    append_free(docs, "model");
    append(docs, event_keys());
    append(docs, data_keys());
    append(docs, ensemble_keys());
    append(docs, times_keys());
    append_free(docs, "ensemble");
    append_free(docs, "parameters");
    append(docs, parameter_keys());
    append(docs, loss_keys());
    append_free(docs, "loss");
    append(docs, solver_keys());
    append(docs, train_keys());
    append(docs, learning_rate_keys());
    append(docs, early_stopping_keys());
    append(docs, parallel_keys());
    append(docs, checkpoint_keys());
    append(docs, output_keys());
    return docs;
}

} // namespace rondo::job
