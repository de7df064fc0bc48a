#include <rondo/solve/engine.hpp>

namespace rondo::solve {

Options resolve(const Options& options, const model::Model& /*model*/, const ensemble::Ensemble& /*ensemble*/) {
    Options resolved = options;
    if (resolved.engine == EngineKind::automatic) {
        resolved.engine = EngineKind::single;
    }
    if (resolved.method == Method::automatic) {
        resolved.method = Method::bdf;
    }
    if (resolved.sensitivity == Sensitivity::automatic) {
        resolved.sensitivity = Sensitivity::forward;
    }
    return resolved;
}

} // namespace rondo::solve
