#include <rondo/ensemble/dataset.hpp>

#include "events.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <vector>

namespace rondo::ensemble {
namespace {

void write_trajectories(store::FileWriter& file, const Ensemble& ensemble) {
    const auto n = static_cast<std::size_t>(ensemble.size());
    const std::size_t n_covariates = ensemble.covariate_names.size();
    file.write("/trajectories/id", ensemble.labels);
    file.make_scale("/trajectories/id", "id");
    std::vector<std::string> names;
    std::vector<double> column(n);
    for (std::size_t c = 0; c < n_covariates; ++c) {
        const std::string& name = ensemble.covariate_names[c];
        if (name == "index") {
            continue;
        }
        if (name == "id") {
            throw InputError{
                fmt::format("{}: covariate \"id\" cannot be written (/trajectories/id holds the trajectories' own "
                            "ids); rename it",
                            file.path().string())};
        }
        for (std::size_t i = 0; i < n; ++i) {
            column[i] = ensemble.covariates[i * n_covariates + c];
        }
        file.write("/trajectories/" + name, column, {n}, {"/trajectories/id"});
        names.push_back(name);
    }
    if (!names.empty()) { // HDF5 lists them by name
        file.write_attribute("/trajectories", "covariates", names);
    }
}

void write_data(store::FileWriter& file, const Ensemble& ensemble, std::span<const double> values) {
    const store::Shape shape{ensemble.time.size(), ensemble.n_columns()};
    const std::vector<std::string> scales{"/data/time", "/data/observables"};
    file.write("/data/offset", ensemble.offset);
    file.make_scale("/data/offset", "offset");
    file.write("/data/time", ensemble.time);
    file.make_scale("/data/time", "time");
    file.write("/data/observables", ensemble.columns);
    file.make_scale("/data/observables", "observables");
    file.write("/data/value", values, shape, scales);
    if (!ensemble.sigma.empty()) {
        file.write("/data/sigma", ensemble.sigma, shape, scales);
    }
}

void write_events(store::FileWriter& file, const Ensemble& ensemble, std::span<const std::string> states) {
    std::vector<std::int64_t> offset{0};
    std::vector<double> time, value;
    std::vector<std::string> state, action;
    for (std::int64_t i = 0; i < ensemble.size(); ++i) {
        for (const Event& event : ensemble.trajectory(i).events) {
            if (event.amount >= 0) {
                continue;
            }
            expects(event.state >= 0 && static_cast<std::size_t>(event.state) < states.size(),
                    "a name for each event's state");
            time.push_back(event.time);
            value.push_back(event.value);
            state.push_back(states[static_cast<std::size_t>(event.state)]);
            action.push_back(action_name(event.action));
        }
        offset.push_back(static_cast<std::int64_t>(time.size()));
    }
    if (time.empty()) {
        return;
    }
    const store::Shape shape{time.size()};
    const std::vector<std::string> scales{"/events/time"};
    file.write("/events/offset", offset);
    file.make_scale("/events/offset", "offset");
    file.write("/events/time", time);
    file.make_scale("/events/time", "time");
    file.write("/events/state", state, shape, scales);
    file.write("/events/action", action, shape, scales);
    file.write("/events/value", value, shape, scales);
}

} // namespace

void write_dataset(store::FileWriter& file, const Ensemble& ensemble, std::span<const double> values,
                   std::span<const std::string> states) {
    expects(values.size() == ensemble.time.size() * ensemble.n_columns(), "a value for each row and column");
    write_trajectories(file, ensemble);
    write_data(file, ensemble, values);
    write_events(file, ensemble, states);
}

} // namespace rondo::ensemble
