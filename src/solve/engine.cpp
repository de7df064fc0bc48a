#include <rondo/solve/engine.hpp>

#include "lanes.hpp"
#include "single.hpp"

#include <rondo/base/contract.hpp>

namespace rondo::solve {

std::size_t row_size(Want want, std::size_t n_active) {
    switch (want) {
    case Want::loss:
        return 1;
    case Want::gradient:
        return 1 + n_active;
    case Want::curvature:
        break;
    }
    return 1 + n_active + n_active * (n_active + 1) / 2;
}

std::unique_ptr<Engine> make_engine(const Options& options, const model::Model& model) {
    if (options.engine == EngineKind::lanes) {
        return std::make_unique<Lanes>(options, model);
    }
    expects(options.engine == EngineKind::single, "an engine is made from resolved options");
    return std::make_unique<Single>(options, model);
}

} // namespace rondo::solve
