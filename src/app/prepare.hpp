#pragma once

#include "arguments.hpp"

#include <rondo/comm/comm.hpp>
#include <rondo/ensemble/batches.hpp>
#include <rondo/ensemble/ensemble.hpp>
#include <rondo/gradient/evaluate.hpp>
#include <rondo/job/job.hpp>
#include <rondo/model/model.hpp>
#include <rondo/store/file_kind.hpp>

#include <memory>

namespace rondo::app {

/// A job with its data and its model ready to be solved. Lives on the heap: `problem` points into it.
struct Prepared {
    job::Job job;
    ensemble::Ensemble ensemble;
    model::System system;
    model::Model model;
    ensemble::Split split;
    gradient::Problem problem;
};

/// What is wanted of a job beyond being well-formed.
enum class Demand {
    nothing,    ///< check, simulate
    data,       ///< evaluate
    derivatives ///< train, gradient: data, and at least one estimated parameter
};

/// Read job and data, and build the model's graph; nothing is compiled or solved.
/// **Collective.** @throws InputError, StoreError on all ranks alike
[[nodiscard]] std::unique_ptr<Prepared> read_all(const comm::Comm& comm, const Arguments& arguments, Demand demand);

/// Make the kernels (rank 0 compiles, the others receive the bytes; or all interpret) and the problem.
/// **Collective.**
void make_kernels(const comm::Comm& comm, Prepared& prepared);

/// Where a file written now comes from.
[[nodiscard]] store::Provenance provenance(const comm::Comm& comm, const Prepared& prepared, const Arguments& arguments,
                                           store::FileKind kind);

} // namespace rondo::app
