#include "readers.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/error.hpp>

#include <fmt/format.h>

namespace rondo::job {

const TableKeys& parallel_keys() {
    static const gradient::Options defaults;
    static const TableKeys keys{
        "parallel",
        {
            word("scaling", "strong", {"strong", "weak"},
                 "strong: the batch is divided among ranks; weak: batch_size is that of one rank."),
            shown_as(word("learning_rate_rule", "linear", {"linear", "square_root", "none"},
                          "Under weak scaling: the rate grows with the ranks, with their root, or not."),
                     "linear under weak scaling"),
            word("allreduce", "ring", {"ring", "mpi"}, "Whose all-reduce: rondo's ring or MPI's own."),
            whole("segment_bytes", narrow<std::int64_t>(defaults.reduce.segment_bytes), from_to(8, 1U << 30U),
                  "Longest message of the ring."),
            word("sum", "exact", {"exact", "plain"},
                 "exact: the same bits on any number of ranks; plain: sums of doubles."),
            whole("threads", defaults.threads, from_to(1, 1024), "Solving threads of each rank."),
            word("balance", std::string{"cost"}, ensemble::balance_names(), "How a batch is divided among ranks."),
        }};
    return keys;
}

namespace {

train::LearningRateRule rule_named(const std::string& name) {
    if (name == "linear") {
        return train::LearningRateRule::linear;
    }
    return name == "square_root" ? train::LearningRateRule::square_root : train::LearningRateRule::none;
}

void read_scaling(TableReader& reader, train::Options& options) {
    const bool is_weak = reader.word("scaling") == "weak";
    options.scaling = is_weak ? train::Scaling::weak : train::Scaling::strong;
    if (is_weak && options.batch_size == 0) {
        throw InputError{
            fmt::format("{} = \"weak\" needs [train] batch_size (the trajectories of one rank in an update); give it "
                        "or choose strong",
                        reader.subject("scaling"))};
    }
    if (!is_weak) {
        reader.refuse("learning_rate_rule", "with scaling = \"strong\" the batch does not grow with the ranks",
                      "leave it out, or write scaling = \"weak\"");
    }
    const std::string rule = reader.word("learning_rate_rule");
    options.learning_rate_rule = is_weak ? rule_named(rule) : train::LearningRateRule::none;
    reader.context().record("parallel", "learning_rate_rule", is_weak ? rule : "none");
}

} // namespace

void read_parallel(Context& context, const toml::node* node, Job& job) {
    TableReader reader{context, parallel_keys(), node};
    read_scaling(reader, job.train);
    gradient::Options& options = job.gradient;
    options.reduce.algorithm = reader.word("allreduce") == "ring" ? comm::Algorithm::ring : comm::Algorithm::mpi;
    options.reduce.segment_bytes = narrow<std::size_t>(reader.whole("segment_bytes"));
    options.sum = reader.word("sum") == "exact" ? gradient::Sum::exact : gradient::Sum::plain;
    options.threads = narrow<int>(reader.whole("threads"));
    options.balance = *ensemble::balance_from(reader.word("balance"));
    reader.finish();
}

} // namespace rondo::job
