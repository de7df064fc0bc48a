#include <rondo/train/checkpoint.hpp>

#include "tables.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/checksum.hpp>
#include <rondo/store/hdf5_file.hpp>
#include <rondo/store/numbered_files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <system_error>

namespace rondo::train {
namespace {

constexpr const char* prefix = "checkpoint_";
constexpr const char* suffix = ".h5";

void write_optimiser(store::FileWriter& file, const optimise::State& optimiser) {
    file.write("/optimizer/point", optimiser.point);
    file.write_scalar("/optimizer/update", optimiser.update);
    std::vector<std::string> memory, scalars;
    for (const auto& [name, values] : optimiser.memory) {
        file.write("/optimizer/memory/" + name, values);
        memory.push_back(name);
    }
    for (const auto& [name, value] : optimiser.scalars) {
        file.write_scalar("/optimizer/scalars/" + name, value);
        scalars.push_back(name);
    }
    file.write("/optimizer/memory_names", memory);
    file.write("/optimizer/scalar_names", scalars);
}

optimise::State read_optimiser(const store::FileReader& file) {
    optimise::State optimiser{.point = file.read<double>("/optimizer/point"),
                              .update = file.read_scalar<std::int64_t>("/optimizer/update")};
    for (const std::string& name : file.read<std::string>("/optimizer/memory_names")) {
        optimiser.memory[name] = file.read<double>("/optimizer/memory/" + name);
    }
    for (const std::string& name : file.read<std::string>("/optimizer/scalar_names")) {
        optimiser.scalars[name] = file.read_scalar<double>("/optimizer/scalars/" + name);
    }
    return optimiser;
}

void write_progress(store::FileWriter& file, const State& state, std::uint64_t data_hash) {
    file.write_scalar("/progress/epoch", state.epoch);
    file.write_scalar("/progress/update", state.optimiser.update);
    file.write_scalar("/progress/position", state.position);
    file.write_scalar("/progress/epoch_loss", state.epoch_loss);
    file.write_scalar("/progress/epoch_solved", state.epoch_solved);
    file.write_scalar("/progress/failed_at_accepted", state.failed_at_accepted);
    file.write_scalar("/progress/ended", std::int64_t{state.ended});
    file.write_scalar("/progress/wall_s", state.wall_s);
    file.write_scalar("/progress/data_hash", fmt::format("{:016x}", data_hash));
    file.write_scalar("/best/loss", state.best.loss);
    file.write_scalar("/best/epoch", state.best.epoch);
    file.write("/best/transformed", state.best.coordinates);
    file.write("/ensemble/cost", state.costs);
    file.write("/ensemble/running_cost", state.running_costs);
}

State read_state(const store::FileReader& file) {
    State state;
    state.optimiser = read_optimiser(file);
    state.epoch = file.read_scalar<std::int64_t>("/progress/epoch");
    state.position = file.read_scalar<std::int64_t>("/progress/position");
    state.epoch_loss = file.read_scalar<double>("/progress/epoch_loss");
    state.epoch_solved = file.read_scalar<std::int64_t>("/progress/epoch_solved");
    state.failed_at_accepted = file.read_scalar<std::int64_t>("/progress/failed_at_accepted");
    state.ended = file.read_scalar<std::int64_t>("/progress/ended") != 0;
    state.wall_s = file.read_scalar<double>("/progress/wall_s");
    state.best.loss = file.read_scalar<double>("/best/loss");
    state.best.epoch = file.read_scalar<std::int64_t>("/best/epoch");
    state.best.coordinates = file.read<double>("/best/transformed");
    state.costs = file.read<std::int64_t>("/ensemble/cost");
    state.running_costs = file.read<std::int64_t>("/ensemble/running_cost");
    state.history = read_history(file);
    for (gradient::Failure& failure : read_failures(file)) {
        state.failures[failure.trajectory] = std::move(failure);
    }
    return state;
}

/// Remove all but the newest `keep` up to number `newest`. A file beyond it is one that could not be read when the run
/// went on from an older one: it must not push out those that can.
void remove_old(const std::filesystem::path& directory, int keep, std::int64_t newest) {
    auto files = store::list_numbered(directory, prefix, suffix);
    std::erase_if(files, [newest](const store::NumberedFile& file) { return file.number > newest; });
    for (std::size_t i = static_cast<std::size_t>(std::max(keep, 1)); i < files.size(); ++i) {
        std::error_code ignored; // one that cannot be removed does no harm
        std::filesystem::remove(files[i].path, ignored);
    }
}

} // namespace

void write_checkpoint(const std::filesystem::path& directory, int keep, const store::Provenance& provenance,
                      std::span<const gradient::Parameter> parameters, std::uint64_t data_hash, const State& state) {
    store::FileWriter file{directory / fmt::format("{}{}{}", prefix, state.optimiser.update, suffix)};
    store::write_provenance(file, provenance);
    std::vector<std::string> names, estimated_names;
    for (const gradient::Parameter& parameter : parameters) {
        names.push_back(parameter.name);
    }
    for (const std::size_t i : gradient::estimated(parameters)) {
        estimated_names.push_back(parameters[i].name);
    }
    file.write("/parameters/names", names);
    file.make_scale("/parameters/names", "names");
    file.write("/parameters/estimated", estimated_names);
    file.make_scale("/parameters/estimated", "estimated");
    const auto point = optimise::best_point(state.optimiser);
    file.write("/parameters/values", gradient::natural_values(parameters, point), {}, {"/parameters/names"});
    file.write("/parameters/transformed", point, {}, {"/parameters/estimated"});
    write_optimiser(file, state.optimiser);
    write_progress(file, state, data_hash);
    write_history(file, state.history);
    std::vector<gradient::Failure> failures;
    for (const auto& [trajectory, failure] : state.failures) {
        failures.push_back(failure);
    }
    write_failures(file, failures);
    store::write_checksum(file);
    file.close();
    remove_old(directory, keep, state.optimiser.update);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    const store::FileReader file{path, store::Integrity::check};
    Checkpoint checkpoint{.file = path, .provenance = store::require_kind(file, store::FileKind::checkpoint)};
    store::verify_checksum(file);
    checkpoint.names = file.read<std::string>("/parameters/names");
    checkpoint.values = file.read<double>("/parameters/values");
    checkpoint.data_hash = std::stoull(file.read_scalar<std::string>("/progress/data_hash"), nullptr, 16);
    checkpoint.state = read_state(file);
    return checkpoint;
}

ParameterValues read_parameters(const std::filesystem::path& path) {
    const store::FileReader file{path, store::Integrity::check};
    const std::string kind = store::read_provenance(file).kind;
    if (kind != store::to_text(store::FileKind::checkpoint) && kind != store::to_text(store::FileKind::result)) {
        throw InputError{
            fmt::format("{}: is a file of kind \"{}\", which holds no fitted parameters; give a checkpoint or a result",
                        path.string(), kind)};
    }
    store::verify_checksum(file);
    return {.names = file.read<std::string>("/parameters/names"), .values = file.read<double>("/parameters/values")};
}

Newest newest_checkpoint(const std::filesystem::path& directory) {
    Newest newest;
    auto found = store::newest_valid(directory, prefix, suffix, [&](const std::filesystem::path& file) {
        newest.checkpoint = read_checkpoint(file);
    });
    if (!found.file) {
        newest.checkpoint.reset();
    }
    newest.rejected = std::move(found.rejected);
    return newest;
}

} // namespace rondo::train
