#include <rondo/job/plan.hpp>

#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace rondo::job {
namespace {

void line(std::string& out, std::string_view name, const std::string& text) {
    out += fmt::format("{:<14}{}\n", name, text);
}

std::string counted(std::int64_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string bytes_text(std::int64_t bytes) {
    constexpr double kibi = 1024;
    const auto size = static_cast<double>(bytes);
    if (size < kibi) {
        return counted(bytes, "byte", "bytes");
    }
    return size < kibi * kibi ? fmt::format("{:.1f} KiB", size / kibi)
                              : fmt::format("{:.1f} MiB", size / (kibi * kibi));
}

std::string parameters_text(const Job& job) {
    const std::size_t n_estimated = gradient::estimated(job.parameters).size();
    return fmt::format("{} estimated, {} fixed", n_estimated, job.parameters.size() - n_estimated);
}

std::string shards_text(const Plan& plan) {
    if (plan.smallest_shard == plan.largest_shard) {
        return fmt::format("{} on every rank", counted(plan.largest_shard, "trajectory", "trajectories"));
    }
    std::string text = fmt::format("{} to {} trajectories a rank", plan.smallest_shard, plan.largest_shard);
    if (plan.smallest_shard == 0) {
        text += " (some ranks have nothing to do: fewer ranks or a larger batch would serve)";
    }
    return text;
}

} // namespace

std::string describe(const Plan& plan, const Job& job) {
    const bool is_weak = job.train.scaling == train::Scaling::weak;
    std::string out;
    if (!job.title.empty()) {
        line(out, "title", job.title);
    }
    line(out, "ranks", fmt::format("{}, each with {}", plan.n_ranks, counted(plan.threads, "thread", "threads")));
    line(
        out, "trajectories",
        fmt::format("{}: {} for training, {} for validation", plan.n_trajectories, plan.n_training, plan.n_validation));
    line(out, "points", std::to_string(plan.n_points));
    line(out, "parameters", parameters_text(job));
    line(out, "solver",
         fmt::format("engine {}, method {}, sensitivity {}, rtol {}, atol {}", solve::name_of(job.solver.engine),
                     solve::name_of(job.solver.method), solve::name_of(job.solver.sensitivity),
                     number_text(job.solver.rtol), number_text(job.solver.atol)));
    const bool has_rate = job.train.optimiser.rule != optimise::Rule::levenberg_marquardt;
    line(out, "optimizer",
         std::string{optimise::name_of(job.train.optimiser.rule)} +
             (has_rate ? ", learning rate " + number_text(plan.learning_rate) : ""));
    line(out, "batch",
         fmt::format("{} of one update{}", counted(plan.batch_size, "trajectory", "trajectories"),
                     is_weak ? fmt::format(" ({} a rank)", job.train.batch_size) : ""));
    line(out, "shards", shards_text(plan));
    line(out, "updates",
         fmt::format("{}: {} in each of {}", plan.n_updates, plan.updates_per_epoch,
                     counted(job.train.epochs, "epoch", "epochs")));
    line(out, "all-reduce", fmt::format("{} an update", bytes_text(plan.reduced_bytes)));
    line(out, "output", job.output_directory.string());
    return out;
}

} // namespace rondo::job
