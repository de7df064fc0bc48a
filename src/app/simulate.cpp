#include "commands.hpp"
#include "output.hpp"
#include "prepare.hpp"

#include <rondo/comm/agree.hpp>
#include <rondo/ensemble/dataset.hpp>
#include <rondo/store/checksum.hpp>
#include <rondo/store/hdf5_file.hpp>
#include <rondo/train/result.hpp>

#include <spdlog/spdlog.h>

#include <vector>

namespace rondo::app {

int simulate(const comm::Comm& comm, const Arguments& arguments) {
    const auto prepared = read_all(comm, arguments, Demand::nothing);
    comm::run_agreed(comm, [&] {
        if (comm.rank() == 0) {
            prepare_file(arguments.output, arguments);
        }
    });
    make_kernels(comm, *prepared);
    gradient::Evaluator evaluator{comm, prepared->problem};
    std::vector<double> natural;
    for (const auto& parameter : prepared->problem.parameters) {
        natural.push_back(parameter.initial);
    }
    const auto everything = train::evaluate_everything(evaluator, natural);
    gradient::require_solved(comm, prepared->problem, everything);
    const auto values = train::gather_predictions(comm, prepared->problem, everything);
    comm::run_agreed(comm, [&] {
        if (comm.rank() == 0) {
            store::FileWriter file{arguments.output};
            store::write_provenance(file, provenance(comm, *prepared, arguments, store::FileKind::dataset));
            ensemble::Ensemble simulated = prepared->ensemble;
            simulated.columns = prepared->model.observables;
            simulated.sigma.clear();
            ensemble::write_dataset(file, simulated, values, prepared->model.states);
            store::write_checksum(file);
            file.close();
        }
    });
    spdlog::info("{} trajectories, {} times, {} observables: {}", prepared->ensemble.size(),
                 prepared->ensemble.time.size(), prepared->model.n_observables(), arguments.output);
    return 0;
}

} // namespace rondo::app
