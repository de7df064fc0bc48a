#include <rondo/expression/differentiate.hpp>

#include "partial.hpp"

#include <rondo/base/contract.hpp>

namespace rondo::expression {
namespace {

/// `value` where `gate` is 1, and 0 where it is 0, whatever `value` is there.
///
/// A branch of `select` that is not taken may have infinite or undefined derivatives: its adjoint must not be
/// multiplied by them as a zero (0 * inf is NaN). So the condition goes down the graph beside the value and is applied
/// last.
struct Adjoint {
    NodeId gate{};
    NodeId value{};
};

std::size_t position(NodeId id) { return static_cast<std::size_t>(id); }

class Sweep {
public:
    Sweep(Graph& graph, std::span<const NodeId> wrt)
        : graph_{graph}, zero_{graph.constant(0)}, always_{graph.constant(1)}, active_(graph.size(), false),
          adjoints_(graph.size()) {
        for (const NodeId w : wrt) {
            expects(graph.node(w).op == Op::input, "derivatives are taken with respect to inputs");
            active_[position(w)] = true;
        }
        for (std::size_t i = 0; i < active_.size(); ++i) {
            const Node& node = graph.node(NodeId{static_cast<std::uint32_t>(i)});
            for (int k = 0; k < arity(node.op); ++k) {
                active_[i] = active_[i] || active_[position(node.argument[k])];
            }
        }
    }

    void seed(NodeId output, NodeId value) { contribute(output, {always_, value}); }

    void run() {
        for (std::size_t i = adjoints_.size(); i-- > 0;) {
            const NodeId id{static_cast<std::uint32_t>(i)};
            if (!adjoints_[i].empty() && arity(graph_.node(id).op) > 0) {
                propagate(id, total(i));
                adjoints_[i] = {};
            }
        }
    }

    NodeId result(NodeId w) {
        const Adjoint adjoint = total(position(w));
        return graph_.select(adjoint.gate, adjoint.value, zero_);
    }

private:
    /// Adds to the adjoint of `id`. Terms behind one gate are added at once, so a node has as many terms as gates.
    void contribute(NodeId id, Adjoint term) {
        if (!active_[position(id)] || graph_.is_constant(term.value, 0)) {
            return;
        }
        std::vector<Adjoint>& terms = adjoints_[position(id)];
        for (Adjoint* known : {terms.empty() ? nullptr : &terms.front(), terms.empty() ? nullptr : &terms.back()}) {
            if (known != nullptr && known->gate == term.gate) {
                known->value = graph_.add(known->value, term.value);
                return;
            }
        }
        terms.push_back(term);
    }

    /// The sum of a node's terms; its gate is open where any of theirs is.
    Adjoint total(std::size_t i) {
        const std::vector<Adjoint>& terms = adjoints_[i];
        if (terms.size() == 1) {
            return terms.front();
        }
        Adjoint sum{zero_, zero_};
        for (const Adjoint& term : terms) {
            sum.gate = graph_.binary(Op::logical_or, sum.gate, term.gate);
            sum.value = graph_.add(sum.value, graph_.select(term.gate, term.value, zero_));
        }
        return sum;
    }

    void propagate(NodeId id, const Adjoint& adjoint) {
        const Node node = graph_.node(id);
        if (is_choice(node.op)) {
            const Choice chosen = choice(graph_, id);
            const NodeId not_so = graph_.unary(Op::logical_not, chosen.condition);
            contribute(node.argument[chosen.then],
                       {graph_.binary(Op::logical_and, adjoint.gate, chosen.condition), adjoint.value});
            contribute(node.argument[chosen.otherwise],
                       {graph_.binary(Op::logical_and, adjoint.gate, not_so), adjoint.value});
            return;
        }
        for (int k = 0; k < arity(node.op); ++k) {
            if (active_[position(node.argument[k])]) {
                contribute(node.argument[k], {adjoint.gate, graph_.multiply(adjoint.value, partial(graph_, id, k))});
            }
        }
    }

    Graph& graph_;
    NodeId zero_, always_;
    std::vector<bool> active_;                   ///< depends on an input of interest
    std::vector<std::vector<Adjoint>> adjoints_; ///< terms by node
};

} // namespace

std::vector<NodeId> vector_jacobian(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> seeds,
                                    std::span<const NodeId> wrt) {
    expects(outputs.size() == seeds.size(), "every output has a seed");
    Sweep sweep{graph, wrt};
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        sweep.seed(outputs[o], seeds[o]);
    }
    sweep.run();
    std::vector<NodeId> products;
    products.reserve(wrt.size());
    for (const NodeId w : wrt) {
        products.push_back(sweep.result(w));
    }
    return products;
}

} // namespace rondo::expression
