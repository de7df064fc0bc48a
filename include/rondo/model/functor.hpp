#pragma once

#include <rondo/model/abi.hpp>
#include <rondo/model/traced.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace rondo::model {

/// Call a model's functions once with traced numbers and keep the graph.
///
/// `Functor` has (see README, "A model in C++"):
///   static constexpr const char* states[], parameters[];   optional: covariates[], observables[]
///   template <class T> void rates(const T& t, std::span<const T> x, std::span<const T> p, std::span<const T> c, std::span<T> dxdt) const
///   template <class T> void initial(std::span<const T> p, std::span<const T> c, std::span<T> x0) const
///   with observables: template <class T> void observe(const T& t, x, p, c, std::span<T> y) const
template <class Functor>
class TracedFunctor {
public:
    TracedFunctor() {
        using expression::Input;
        trace().clear();
        const Functor functor{};
        const Traced t = Traced::input(Input::time, 0);
        const auto x = inputs(Input::state, std::size(Functor::states));
        const auto p = inputs(Input::parameter, std::size(Functor::parameters));
        std::vector<Traced> c;
        if constexpr (requires { Functor::covariates; }) {
            c = inputs(Input::covariate, std::size(Functor::covariates));
            model_.covariates = {Functor::covariates, std::size(Functor::covariates)};
        }
        using View = std::span<const Traced>;
        std::vector<Traced> rates(x.size()), initial(x.size());
        functor.rates(t, View{x}, View{p}, View{c}, std::span<Traced>{rates});
        functor.initial(View{p}, View{c}, std::span<Traced>{initial});
        rates_ = positions(rates);
        initial_ = positions(initial);
        if constexpr (requires { Functor::observables; }) {
            std::vector<Traced> observed(std::size(Functor::observables));
            functor.observe(t, View{x}, View{p}, View{c}, std::span<Traced>{observed});
            observed_ = positions(observed);
            model_.observables = {Functor::observables, std::size(Functor::observables)};
        }
        nodes_ = trace();
        trace().clear();
        model_.version = abi::version;
        model_.states = {Functor::states, std::size(Functor::states)};
        model_.parameters = {Functor::parameters, std::size(Functor::parameters)};
        model_.nodes = nodes_.data();
        model_.n_nodes = nodes_.size();
        model_.rates = {rates_.data(), rates_.size()};
        model_.initial = {initial_.data(), initial_.size()};
        model_.observed = {observed_.data(), observed_.size()};
    }
    TracedFunctor(const TracedFunctor&) = delete;
    TracedFunctor& operator=(const TracedFunctor&) = delete;

    [[nodiscard]] const abi::TracedModel& model() const { return model_; }

private:
    static std::vector<Traced> inputs(expression::Input kind, std::size_t n) {
        std::vector<Traced> all;
        for (std::size_t i = 0; i < n; ++i) {
            all.push_back(Traced::input(kind, i));
        }
        return all;
    }
    static std::vector<std::uint32_t> positions(const std::vector<Traced>& numbers) {
        std::vector<std::uint32_t> all;
        for (const Traced& number : numbers) {
            all.push_back(number.position());
        }
        return all;
    }

    abi::TracedModel model_{};
    std::vector<abi::TracedNode> nodes_;
    std::vector<std::uint32_t> rates_, initial_, observed_;
};

} // namespace rondo::model

/// Makes the model of a shared object; written once in its source file.
#define RONDO_MODEL(Functor)                                                                                           \
    extern "C" __attribute__((visibility("default"))) const ::rondo::model::abi::TracedModel* rondo_model() {          \
        static const ::rondo::model::TracedFunctor<Functor> traced;                                                    \
        return &traced.model();                                                                                        \
    }
