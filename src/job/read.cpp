#include <rondo/job/job.hpp>

#include "load.hpp"
#include "overrides.hpp"
#include "readers.hpp"
#include "serialise.hpp"

#include <utility>

namespace rondo::job {

const TableKeys& top_keys() {
    static const TableKeys keys{
        "",
        {
            text("title", "What the run is, in the user's words."),
            required(table("model", "What one trajectory obeys.")),
            table("data", "The measurements."),
            table("ensemble", "Generated trajectories, instead of a data file."),
            table("parameters", "Every parameter of the model: a number (fixed) or a table (estimated)."),
            table("loss", "What the training makes small."),
            table("solver", "How trajectories are solved."),
            table("train", "How parameters are found."),
            table("parallel", "How ranks and threads share the work."),
            table("checkpoint", "When the state of a run is written."),
            table("output", "Where results are written."),
        }};
    return keys;
}

namespace {

void read_tables(Context& context, const toml::table& document, Job& job) {
    TableReader reader{context, top_keys(), &document};
    job.title = reader.text("title");
    reader.require("model");
    read_model(context, reader.node("model"), job);
    read_loss(context, reader.node("loss"), job);
    read_data(context, reader.node("data"), job);
    read_ensemble(context, reader.node("ensemble"), job);
    read_parameters(context, reader.node("parameters"), job);
    read_solver(context, reader.node("solver"), job);
    read_train(context, reader.node("train"), job);
    read_parallel(context, reader.node("parallel"), job);
    read_checkpoint(context, reader.node("checkpoint"), job);
    read_output(context, reader.node("output"), job);
    reader.finish();
}

} // namespace

Job parse(const std::string& text, const std::filesystem::path& file, std::span<const std::string> overrides) {
    toml::table document = parse_text(text, file.string());
    Job job;
    job.file = file;
    job.name = file.stem().string();
    job.text = text;
    if (!overrides.empty()) {
        apply_overrides(document, overrides);
        job.text = serialise(document);
    }
    Context context;
    context.file = file.string();
    context.directory = file.parent_path();
    read_tables(context, document, job);
    job.settings = std::move(context.settings);
    job.places = std::move(context.places);
    if (job.model.library.empty()) {
        const std::vector<std::string> states = job.model.states, parameters = job.model.parameters;
        complete(job, states, parameters);
    }
    return job;
}

Job read(const std::filesystem::path& file, std::span<const std::string> overrides) {
    return parse(load_text(file), file, overrides);
}

} // namespace rondo::job
