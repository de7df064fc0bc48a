#include "readers.hpp"

namespace rondo::job {

const TableKeys& output_keys() {
    static const TableKeys keys{"output",
                                {shown_as(path("directory", "Where checkpoints and the result are written."),
                                          "<job name>.run beside the caller")}};
    return keys;
}

void read_output(Context& context, const toml::node* node, Job& job) {
    TableReader reader{context, output_keys(), node};
    job.output_directory = reader.path("directory");
    if (job.output_directory.empty()) {
        job.output_directory = job.name + ".run";
    }
    reader.finish();
}

} // namespace rondo::job
