#include <rondo/train/run.hpp>

#include <algorithm>
#include <cmath>

namespace rondo::train {

std::int64_t effective_batch_size(const Options& options, std::int64_t n_training, int n_ranks) {
    if (options.batch_size == 0) {
        return n_training;
    }
    const std::int64_t factor = options.scaling == Scaling::weak ? n_ranks : 1;
    return std::min(options.batch_size > n_training / factor ? n_training : options.batch_size * factor, n_training);
}

optimise::Schedule effective_schedule(const Options& options, int n_ranks) {
    optimise::Schedule schedule = options.schedule;
    if (options.scaling == Scaling::weak && options.learning_rate_rule == LearningRateRule::linear) {
        schedule.initial *= n_ranks;
    } else if (options.scaling == Scaling::weak && options.learning_rate_rule == LearningRateRule::square_root) {
        schedule.initial *= std::sqrt(static_cast<double>(n_ranks));
    }
    return schedule;
}

} // namespace rondo::train
