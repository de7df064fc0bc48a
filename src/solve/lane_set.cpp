#include "lane_set.hpp"

#include <rondo/base/contract.hpp>

namespace rondo::solve {

using model::KernelKind;

LaneSet::LaneSet(const model::Model& model, bool sensitivities) : covariates_(model.covariates.size() * n_lanes) {
    const auto either = [&](KernelKind all, KernelKind states) {
        return model.lane_kernel(sensitivities ? all : states);
    };
    system_.rows = model.n_states();
    system_.columns = sensitivities ? 1 + model.n_active() : 1;
    system_.rates = either(KernelKind::tangent, KernelKind::rates);
    system_.adjoint = model.lane_kernel(KernelKind::adjoint);
    system_.jacobian = model.lane_kernel(KernelKind::jacobian);
    if (!model.autonomous) {
        system_.time_rates = either(KernelKind::time_tangent, KernelKind::time_rates);
        system_.time_adjoint = model.lane_kernel(KernelKind::time_adjoint);
    }
    system_.second_tangent = model.lane_kernel(KernelKind::second_tangent);
    system_.second_adjoint = model.lane_kernel(KernelKind::second_adjoint);
    system_.covariate = covariates_.data();
}

void LaneSet::place(std::size_t lane, const ensemble::Trajectory& trajectory) {
    expects(trajectory.covariates.size() * n_lanes == covariates_.size(), "the ensemble has the model's covariates");
    put_lane(trajectory.covariates, lane, covariates_.data());
}

} // namespace rondo::solve
