#include "app/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Arguments accepted(const std::vector<std::string>& words) {
    const Parsed parsed = parse_arguments(words);
    EXPECT_FALSE(parsed.ends) << parsed.text;
    return parsed.arguments;
}

std::string refused(const std::vector<std::string>& words) {
    const Parsed parsed = parse_arguments(words);
    EXPECT_TRUE(parsed.ends);
    EXPECT_EQ(parsed.exit_code, 2);
    return parsed.text;
}

TEST(Arguments, of_train_are_all_read) {
    const auto arguments =
        accepted({"train", "a.toml", "--output", "dir", "--resume", "-v", "--set", "a.b=1", "--set=c.d=x y"});
    EXPECT_EQ(arguments.command, Command::train);
    EXPECT_EQ(arguments.job, "a.toml");
    EXPECT_EQ(arguments.output, "dir");
    EXPECT_TRUE(arguments.resume);
    EXPECT_FALSE(arguments.overwrite);
    EXPECT_EQ(arguments.verbosity, Verbosity::verbose);
    EXPECT_THAT(arguments.overrides, ElementsAre("a.b=1", "c.d=x y"));
}

TEST(Arguments, an_override_does_not_swallow_the_job_after_it) {
    const auto arguments = accepted({"train", "--set", "a.b=1", "a.toml"});
    EXPECT_EQ(arguments.job, "a.toml");
    EXPECT_THAT(arguments.overrides, ElementsAre("a.b=1"));
}

TEST(Arguments, have_defaults) {
    const auto arguments = accepted({"gradient", "a.toml"});
    EXPECT_EQ(arguments.method, "");
    EXPECT_FALSE(arguments.check);
    EXPECT_FALSE(arguments.json);
    EXPECT_EQ(arguments.repeat, 1);
    EXPECT_EQ(arguments.ranks, 0);
    EXPECT_EQ(arguments.verbosity, Verbosity::normal);
}

TEST(Arguments, of_the_other_commands_are_all_read) {
    const auto gradient =
        accepted({"gradient", "a.toml", "--method", "adjoint", "--check", "--json", "--repeat", "5", "-q"});
    EXPECT_EQ(gradient.command, Command::gradient);
    EXPECT_EQ(gradient.method, "adjoint");
    EXPECT_TRUE(gradient.check && gradient.json);
    EXPECT_EQ(gradient.repeat, 5);
    EXPECT_EQ(gradient.verbosity, Verbosity::quiet);

    const auto evaluate = accepted({"evaluate", "a.toml", "--checkpoint", "c.h5", "--overwrite"});
    EXPECT_EQ(evaluate.command, Command::evaluate);
    EXPECT_EQ(evaluate.checkpoint, "c.h5");
    EXPECT_TRUE(evaluate.overwrite);

    EXPECT_EQ(accepted({"simulate", "a.toml", "--output", "d.h5"}).command, Command::simulate);
    EXPECT_EQ(accepted({"check", "a.toml", "--ranks", "64"}).ranks, 64);
    EXPECT_EQ(accepted({"inspect", "d.h5"}).command, Command::inspect);
}

TEST(Arguments, keep_the_command_line_for_provenance) {
    EXPECT_EQ(accepted({"check", "a.toml", "--ranks", "2"}).command_line, "rondo check a.toml --ranks 2");
}

TEST(Arguments, that_ask_for_help_or_version_end_well) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--help"}, {"--version"}, {"train", "--help"}}) {
        const Parsed parsed = parse_arguments(words);
        EXPECT_TRUE(parsed.ends);
        EXPECT_EQ(parsed.exit_code, 0);
        EXPECT_NE(parsed.text, "");
    }
}

TEST(Arguments, misspelt_are_refused_with_the_nearest_known_word) {
    EXPECT_THAT(refused({"trian", "a.toml"}),
                HasSubstr("command \"trian\" is unknown (known: check, evaluate, gradient, inspect, "
                          "simulate, train); did you mean \"train\"?"));
    EXPECT_THAT(refused({"train", "a.toml", "--ouput=x"}), HasSubstr("rondo train: option \"--ouput\" is unknown"));
    EXPECT_THAT(refused({"train", "a.toml", "--ouput=x"}), HasSubstr("did you mean \"--output\"?"));
    EXPECT_THAT(refused({"gradient", "a.toml", "--method", "magic"}),
                HasSubstr("magic not in {forward,adjoint,differences}"));
}

TEST(Arguments, missing_are_refused) {
    EXPECT_THAT(refused({}), HasSubstr("subcommand is required"));
    EXPECT_THAT(refused({"train"}), HasSubstr("JOB is required"));
    EXPECT_THAT(refused({"evaluate", "a.toml"}), HasSubstr("--checkpoint is required"));
    EXPECT_THAT(refused({"simulate", "a.toml"}), HasSubstr("--output is required"));
}

TEST(Arguments, that_contradict_each_other_are_refused) {
    EXPECT_THAT(refused({"train", "a.toml", "--resume", "--overwrite"}), HasSubstr("excludes"));
    EXPECT_THAT(refused({"train", "a.toml", "--quiet", "--verbose"}), HasSubstr("--quiet excludes --verbose"));
}

TEST(Arguments, that_are_empty_paths_are_refused) {
    EXPECT_THAT(refused({"train", "a.toml", "--output", ""}), HasSubstr("--output: is empty (a path is wanted)"));
    EXPECT_THAT(refused({"train", ""}), HasSubstr("JOB: is empty"));
    EXPECT_THAT(refused({"evaluate", "a.toml", "--checkpoint="}), HasSubstr("--checkpoint"));
}

TEST(Arguments, out_of_range_are_refused_with_the_range) {
    EXPECT_THAT(refused({"check", "a.toml", "--ranks", "0"}), HasSubstr("Value 0 not in range 1 to"));
    EXPECT_THAT(refused({"gradient", "a.toml", "--repeat", "-1"}), HasSubstr("Value -1 not in range 1 to"));
}

} // namespace
} // namespace rondo::app
