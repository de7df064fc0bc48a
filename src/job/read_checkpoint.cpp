#include "readers.hpp"

#include <rondo/base/cast.hpp>

namespace rondo::job {

const TableKeys& checkpoint_keys() {
    static const train::CheckpointOptions defaults;
    static const TableKeys keys{
        "checkpoint",
        {
            whole("every", defaults.every, at_least(0), "Updates from one checkpoint to the next; 0: never by count."),
            number("minutes", defaults.minutes, at_least(0), "Wall time from one to the next; 0: never by time."),
            whole("keep", defaults.keep, from_to(1, 1000), "How many stay."),
        }};
    return keys;
}

void read_checkpoint(Context& context, const toml::node* node, Job& job) {
    TableReader reader{context, checkpoint_keys(), node};
    train::CheckpointOptions& options = job.train.checkpoint;
    options.every = reader.whole("every");
    options.minutes = reader.number("minutes");
    options.keep = narrow<int>(reader.whole("keep"));
    reader.finish();
}

} // namespace rondo::job
