#include "prepare.hpp"

#include <rondo/base/error.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/comm/environment.hpp>
#include <rondo/ensemble/build.hpp>
#include <rondo/expression/compile.hpp>
#include <rondo/model/system.hpp>
#include <rondo/solve/version.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rondo::app {
namespace {

/// The names a model library brings are only known once it is open.
void complete_from_library(job::Job& job) {
    if (!job.model.library.empty()) {
        const auto names = model::library_names(job.model.library, job.model.where);
        job::complete(job, names.states, names.parameters, names.observables);
    }
}

void require(const job::Job& job, Demand demand) {
    if (demand == Demand::derivatives) {
        job::require_trainable(job);
    }
    if (demand == Demand::data && !job.has_data) {
        throw InputError{
            fmt::format("{}: there is nothing to compare with (no [data] file and no [ensemble] target); add one",
                        job.file.string())};
    }
}

/// Rank 0 compiles; nothing if there is no compiler. **Collective.**
std::vector<std::byte> compiled_object(const comm::Comm& comm, const Prepared& prepared,
                                       std::span<const expression::Program> programs, std::string& message) {
    auto object = comm::run_agreed(comm, [&]() -> std::vector<std::byte> {
        if (comm.rank() != 0) {
            return {};
        }
        auto code = expression::compile(model::kernel_source(prepared.system, programs), {}, message);
        if (!code && prepared.job.kernels == "compiled") {
            throw InputError{
                fmt::format("{}: [solver] kernels = \"compiled\", but {}; install a C++ compiler or write \"auto\"",
                            prepared.job.file.string(), message)};
        }
        return code ? std::move(*code) : std::vector<std::byte>{};
    });
    return comm::broadcast(comm, std::move(object));
}

} // namespace

std::unique_ptr<Prepared> read_all(const comm::Comm& comm, const Arguments& arguments, Demand demand) {
    auto prepared = std::make_unique<Prepared>();
    comm::run_agreed(comm, [&] {
        prepared->job = job::read(arguments.job, arguments.overrides);
        complete_from_library(prepared->job);
        require(prepared->job, demand);
        prepared->job.model.covariates = ensemble::covariate_names(prepared->job.data);
        prepared->system = model::build_system(prepared->job.model);
        prepared->job.data.needs_sigma = prepared->system.sigma_from_data && prepared->job.has_data;
        prepared->ensemble = ensemble::build(prepared->job.data);
        prepared->split = ensemble::split(prepared->ensemble.size(), prepared->job.train.validation_fraction,
                                          prepared->job.train.seed);
    });
    return prepared;
}

void make_kernels(const comm::Comm& comm, Prepared& prepared) {
    const auto active = gradient::estimated(prepared.job.parameters);
    const auto programs = model::derive(prepared.system, active);
    std::vector<std::byte> object;
    if (prepared.job.kernels != "interpreted") {
        std::string message;
        object = compiled_object(comm, prepared, programs, message);
        if (object.empty() && comm.rank() == 0) {
            spdlog::warn("the model runs interpreted, which is slower ({}); install a C++ compiler", message);
        }
    }
    comm::run_agreed(comm, [&] {
        const bool compiled = !object.empty();
        auto kernels = compiled ? model::loaded_kernels(object, programs.size())
                                : model::interpreted_kernels(prepared.system, programs);
        prepared.model = model::make_model(prepared.system, prepared.job.model.loss, active, std::move(kernels));
    });
    prepared.problem = {.model = &prepared.model,
                        .ensemble = &prepared.ensemble,
                        .initial_time = prepared.job.initial_time,
                        .parameters = prepared.job.parameters,
                        .solver = solve::resolve(prepared.job.solver, prepared.model, prepared.ensemble),
                        .options = prepared.job.gradient};
}

store::Provenance provenance(const comm::Comm& comm, const Prepared& prepared, const Arguments& arguments,
                             store::FileKind kind) {
    return {.kind = store::to_text(kind),
            .rondo_version = RONDO_VERSION,
            .git_hash = RONDO_GIT_HASH,
            .command = arguments.command_line,
            .job = prepared.job.text,
            .world_size = comm.size(),
            .library_versions = {{"mpi", comm::library_version()},
                                 {"hdf5", store::hdf5_version()},
                                 {"sundials", solve::sundials_version()}}};
}

} // namespace rondo::app
