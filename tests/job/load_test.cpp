#include "job/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace rondo::job {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A new folder with the good job as decay.toml, removed at the end.
class Load : public testing::Test {
protected:
    Load() {
        const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        folder = std::filesystem::temp_directory_path() / ("rondo_load_" + name + std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
        write("decay.toml", fitted);
    }
    ~Load() override { std::filesystem::remove_all(folder); }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream{folder / name, std::ios::binary} << text;
    }

    template <class Error>
    [[nodiscard]] std::string error_of(const std::string& name) const {
        try {
            static_cast<void>(read(folder / name));
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    std::filesystem::path folder;
};

TEST_F(Load, reads_a_file) {
    const Job job = read(folder / "decay.toml");
    EXPECT_EQ(job.text, fitted);
    EXPECT_EQ(job.data.data_file, folder / "data/decay.csv");
}

TEST_F(Load, a_missing_file_names_the_nearest_one) {
    EXPECT_EQ(error_of<InputError>("decai.toml"), (folder / "decai.toml").string() +
                                                      ": there is no such file; did you mean \"" +
                                                      (folder / "decay.toml").string() + "\"?");
}

TEST_F(Load, a_missing_file_without_a_similar_one_says_so) {
    EXPECT_THAT(error_of<InputError>("rumpelstiltskin.job"), HasSubstr("there is no such file; check the path"));
    EXPECT_THAT(error_of<InputError>("nowhere/decay.toml"), HasSubstr("there is no such file; check the path"));
}

TEST_F(Load, a_directory_is_no_job_file) {
    std::filesystem::create_directory(folder / "runs");
    EXPECT_THAT(error_of<InputError>("runs"), HasSubstr("is a directory, not a job file"));
}

TEST_F(Load, more_than_16_mebibytes_are_refused) {
    write("large.toml", fitted + std::string(std::size_t{16} << 20U, '\n'));
    EXPECT_THAT(error_of<InputError>("large.toml"), HasSubstr("the file is larger than 16 MiB"));
}

TEST(Text, a_NUL_is_refused_with_its_line) {
    const std::string text = with_line(fitted, 3, std::string("[model]\0", 8));
    EXPECT_THAT(refusal(text), StartsWith("jobs/decay.toml:3: the file holds a NUL byte"));
}

TEST(Text, what_is_not_UTF_8_is_refused) {
    EXPECT_THAT(refusal(with_line(fitted, 1, "title = \"\xFF\"")),
                StartsWith("jobs/decay.toml: the file is not UTF-8"));
}

TEST(Text, what_nests_too_deeply_is_refused) {
    std::string name = "a";
    for (int i = 0; i < 1000000; ++i) {
        name += ".a";
    }
    EXPECT_THAT(refusal(name + " = 1"), StartsWith("jobs/decay.toml:1: a name has more than 100 parts joined by dots"));
    EXPECT_THAT(refusal("a = " + std::string(100000, '[')), StartsWith("jobs/decay.toml:1:"));
}

TEST(Text, dots_in_lists_and_comments_are_no_nesting) {
    std::string list = "times = [0.5";
    for (int i = 1; i < 500; ++i) {
        list += ", " + std::to_string(i) + ".5";
    }
    EXPECT_EQ(job_of(with_line(generated, 15, list + "] # " + std::string(300, '.'))).data.times.size(), 500U);
}

TEST(Text, an_empty_file_lacks_a_model) {
    EXPECT_EQ(refusal(""), "jobs/decay.toml:1: key \"model\" is missing (a table is wanted)");
}

} // namespace
} // namespace rondo::job
