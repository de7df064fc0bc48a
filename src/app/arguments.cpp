#include "arguments.hpp"

#include <rondo/base/text.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace rondo::app {
namespace {

/// An empty path is an unset variable of a script, not a wish for the default.
std::string require_text(const std::string& text) { return text.empty() ? "is empty (a path is wanted)" : ""; }

void add_job(CLI::App& command, Arguments& arguments) {
    command.add_option("JOB", arguments.job, "Job file (TOML)")->required()->check(require_text);
    command.add_option("--set", arguments.overrides, "Override a key of the job: table.key=value; may be repeated")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
}

void add_output(CLI::App& command, Arguments& arguments, const char* what) {
    command.add_option("--output", arguments.output, what)->type_name("PATH")->check(require_text);
    command.add_flag("--overwrite", arguments.overwrite, "Replace what is there");
}

/// The word CLI11 could not place, with the known words.
std::string hint_for(const CLI::App& app, const std::vector<std::string>& arguments) {
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        commands.push_back(command->get_name());
    }
    if (!arguments.empty() && std::ranges::find(commands, arguments[0]) == commands.end() &&
        arguments[0].rfind('-', 0) != 0) {
        return fmt::format("command \"{}\" is unknown{}", arguments[0], known_words_hint(arguments[0], commands));
    }
    for (const CLI::App* command : app.get_subcommands()) {
        std::vector<std::string> options;
        for (const CLI::Option* option : command->get_options()) {
            for (const std::string& name : option->get_lnames()) {
                options.push_back("--" + name);
            }
        }
        for (const std::string& argument : arguments) {
            const std::string name = argument.substr(0, argument.find('='));
            if (name.rfind("--", 0) == 0 && std::ranges::find(options, name) == options.end()) {
                return fmt::format("rondo {}: option \"{}\" is unknown{}", command->get_name(), name,
                                   known_words_hint(name, options));
            }
        }
    }
    return {};
}

} // namespace

Parsed parse_arguments(const std::vector<std::string>& given) {
    Parsed parsed;
    Arguments& arguments = parsed.arguments;
    arguments.command_line = "rondo " + join(given, " ");

    CLI::App app{"Trains models made of ordinary differential equations on ensembles of trajectories.", "rondo"};
    app.set_version_flag("--version", fmt::format("rondo {} ({})", RONDO_VERSION, RONDO_GIT_HASH));
    app.require_subcommand(1);
    const auto add = [&](const char* name, const char* sentence, Command command) {
        CLI::App* sub = app.add_subcommand(name, sentence);
        sub->callback([&arguments, command] { arguments.command = command; });
        auto* quiet = sub->add_flag_callback(
            "-q,--quiet", [&arguments] { arguments.verbosity = Verbosity::quiet; }, "Say only warnings and errors");
        sub->add_flag_callback(
               "-v,--verbose", [&arguments] { arguments.verbosity = Verbosity::verbose; }, "Say more")
            ->excludes(quiet);
        return sub;
    };

    CLI::App* train =
        add("train", "Fit the job's parameters; writes checkpoints and result.h5 into a directory", Command::train);
    add_job(*train, arguments);
    add_output(*train, arguments, "Directory of the run [the job's [output] directory, else <job name>.run]");
    train
        ->add_flag("--resume", arguments.resume,
                   "Go on from the newest good checkpoint there; start afresh where there is none")
        ->excludes("--overwrite");

    CLI::App* evaluate =
        add("evaluate", "Loss, and predictions of every trajectory with the parameters of a checkpoint or result",
            Command::evaluate);
    add_job(*evaluate, arguments);
    evaluate->add_option("--checkpoint", arguments.checkpoint, "Checkpoint or result with the parameters")
        ->required()
        ->type_name("FILE")
        ->check(require_text);
    add_output(*evaluate, arguments, "HDF5 file to write");

    CLI::App* simulate = add(
        "simulate", "Solve the ensemble at the job's initial parameters and write it as a data set", Command::simulate);
    add_job(*simulate, arguments);
    add_output(*simulate, arguments, "HDF5 file to write");
    simulate->get_option("--output")->required();

    CLI::App* gradient = add("gradient", "Loss and gradient at the job's initial parameters", Command::gradient);
    add_job(*gradient, arguments);
    gradient->add_option("--method", arguments.method, "How: forward, adjoint or differences [the job's]")
        ->check(CLI::IsMember({"forward", "adjoint", "differences"}));
    gradient->add_flag("--check", arguments.check, "Compare all three, trajectory by trajectory");
    gradient->add_flag("--json", arguments.json, "Print one JSON object");
    gradient->add_option("--repeat", arguments.repeat, "Solve so often and give the median time")
        ->check(CLI::Range(1, 1000000));

    CLI::App* check =
        add("check", "Validate the job with its data and print the plan, without solving", Command::check);
    add_job(*check, arguments);
    check->add_option("--ranks", arguments.ranks, "Plan for so many ranks")->check(CLI::Range(1, 1 << 24));
    check->add_flag("--json", arguments.json, "Print one JSON object");

    CLI::App* inspect = add("inspect", "Say what a checkpoint, result or data set holds", Command::inspect);
    inspect->add_option("FILE", arguments.job, "HDF5 file")->required()->check(require_text);
    inspect->add_flag("--json", arguments.json, "Print one JSON object");

    try {
        std::vector<std::string> reversed(given.rbegin(), given.rend());
        app.parse(reversed);
    } catch (const CLI::ParseError& error) {
        std::ostringstream out, err;
        const int code = app.exit(error, out, err);
        parsed.ends = true;
        parsed.exit_code = code == 0 ? 0 : 2;
        if (code == 0) {
            parsed.text = out.str();
        } else {
            const std::string hint = hint_for(app, given);
            parsed.text =
                fmt::format("command line: {}; rondo --help lists the commands, rondo COMMAND --help their options\n",
                            hint.empty() ? error.what() : hint);
        }
    }
    return parsed;
}

} // namespace rondo::app
