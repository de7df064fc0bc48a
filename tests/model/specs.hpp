#pragma once

#include <rondo/base/error.hpp>
#include <rondo/model/spec.hpp>

#include <gtest/gtest.h>

#include <string>

namespace rondo::model {

/// Two states, no covariates: every derivative is known in closed form.
inline Spec lotka_volterra() {
    return {.where = "job.toml",
            .states = {"hare", "lynx"},
            .parameters = {"alpha", "beta", "gamma", "delta", "hare0"},
            .rates = {{"hare", "alpha*hare - beta*hare*lynx", "job.toml: [model.rates] hare"},
                      {"lynx", "delta*hare*lynx - gamma*lynx", "job.toml: [model.rates] lynx"}},
            .initial = {{"hare", "hare0", "job.toml: [model.initial] hare"},
                        {"lynx", "4", "job.toml: [model.initial] lynx"}}};
}

/// A drug taken by mouth, with all a model may have: covariates, helpers, time, a condition, events, noise.
inline Spec absorption() {
    return {.where = "job.toml",
            .states = {"gut", "plasma"},
            .parameters = {"ka", "cl", "v", "f", "vm", "sd"},
            .covariates = {"index", "weight", "dose"},
            .expressions = {{"concentration", "plasma/volume", "job.toml: [model.expressions] concentration"},
                            {"volume", "v*weight/70", "job.toml: [model.expressions] volume"},
                            {"absorbed", "if(t < 1, ka, 2*ka)*gut", "job.toml: [model.expressions] absorbed"},
                            {"saturable",
                             "if(concentration > 0.5, vm*concentration/(1 + concentration), vm*concentration/1.5)",
                             "job.toml: [model.expressions] saturable"}},
            .rates = {{"plasma", "f*absorbed - cl*pow(weight/70, 0.75)*concentration - saturable",
                       "job.toml: [model.rates] plasma"},
                      {"gut", "-absorbed", "job.toml: [model.rates] gut"}},
            .initial = {{"gut", "f*dose", "job.toml: [model.initial] gut"},
                        {"plasma", "exp(-v)", "job.toml: [model.initial] plasma"}},
            .observables = {{"level", "concentration", "job.toml: [model.observables] level"},
                            {"effect", "tanh(concentration) + log1p(gut)*sqrt(vm)",
                             "job.toml: [model.observables] effect"}},
            .amounts = {{"again", "f*dose*exp(-ka*t)", "job.toml: [[model.events]] amount"},
                        {"half", "dose/2", "job.toml: [[model.events]] amount"}},
            .loss = {
                .kind = LossKind::gaussian, .sigma = "", .sigma_of = {{"level", "sd"}, {"effect", "sd*(1 + effect)"}}}};
}

/// The text of the InputError that `work` throws.
template <class Work>
std::string refusal(const Work& work) {
    try {
        static_cast<void>(work());
    } catch (const InputError& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

} // namespace rondo::model
