#include "readers.hpp"

#include <rondo/base/cast.hpp>

namespace rondo::job {

const TableKeys& solver_keys() {
    static const solve::Options defaults;
    static const TableKeys keys{
        "solver",
        {
            word("engine", std::string{solve::name_of(defaults.engine)}, solve::engine_names(), "Which engine solves."),
            word("method", std::string{solve::name_of(defaults.method)}, solve::method_names(),
                 "Method of integration."),
            word("sensitivity", std::string{solve::name_of(defaults.sensitivity)}, solve::sensitivity_names(),
                 "How gradients are made."),
            number("rtol", defaults.rtol, between(0, 1), "Relative tolerance of states and sensitivities."),
            number("atol", defaults.atol, above(0), "Absolute tolerance, in the units of the states."),
            whole("max_steps", defaults.max_steps, at_least(1), "Steps one trajectory may take."),
            whole("max_attempts", defaults.max_attempts, from_to(1, 3),
                  "First try and retries of a trajectory that cannot be solved; none has looser tolerances."),
            word("on_failure", "stop", {"stop", "drop"},
                 "What happens when a trajectory cannot be solved: the run stops, or goes on with the others."),
            number("max_failed_fraction", gradient::Options{}.max_failed_fraction, from_to(0, 1),
                   "With drop: a larger part of failed trajectories stops the run."),
            word("kernels", "auto", {"auto", "compiled", "interpreted"},
                 "How the model is evaluated: by the system's compiler, or by an interpreter that needs none."),
        }};
    return keys;
}

void read_solver(Context& context, const toml::node* node, Job& job) {
    TableReader reader{context, solver_keys(), node};
    solve::Options& options = job.solver;
    options.engine = *solve::engine_from(reader.word("engine"));
    options.method = *solve::method_from(reader.word("method"));
    options.sensitivity = *solve::sensitivity_from(reader.word("sensitivity"));
    options.rtol = reader.number("rtol");
    options.atol = reader.number("atol");
    options.max_steps = reader.whole("max_steps");
    options.max_attempts = narrow<int>(reader.whole("max_attempts"));
    const bool drops = reader.word("on_failure") == "drop";
    job.gradient.on_failure = drops ? gradient::OnFailure::drop : gradient::OnFailure::stop;
    if (!drops) {
        reader.refuse("max_failed_fraction", "with on_failure = \"stop\" the first failure ends the run",
                      "leave it out, or write on_failure = \"drop\"");
    }
    job.gradient.max_failed_fraction = reader.number("max_failed_fraction");
    job.kernels = reader.word("kernels");
    reader.finish();
}

} // namespace rondo::job
