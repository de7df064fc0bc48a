#include "field.hpp"

#include <rondo/base/contract.hpp>

namespace rondo::solve {

using model::KernelKind;

Field::Field(const model::Model& model, std::span<const double> parameters, std::span<const double> covariates)
    : model_{&model}, parameters_{parameters}, covariates_{covariates.data()}, n_{model.n_states()},
      m_{model.n_active()}, rates_{model.kernel(KernelKind::rates)}, jacobian_{model.kernel(KernelKind::jacobian)},
      tangent_{model.kernel(KernelKind::tangent)}, adjoint_state_{model.kernel(KernelKind::adjoint_state)},
      adjoint_parameter_{model.kernel(KernelKind::adjoint_parameter)}, initial_{model.kernel(KernelKind::initial)},
      initial_tangent_{model.kernel(KernelKind::initial_tangent)}, outputs_{model.kernel(KernelKind::outputs)},
      outputs_adjoint_{model.kernel(KernelKind::outputs_adjoint)}, amounts_{model.kernel(KernelKind::amounts)},
      amounts_tangent_{model.kernel(KernelKind::amounts_tangent)} {
    expects(parameters.size() == model.parameters.size(), "one value for each parameter");
    expects(covariates.size() == model.covariates.size(), "the ensemble has the model's covariates");
}

} // namespace rondo::solve
