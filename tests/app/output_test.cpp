#include "app/output.hpp"

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace rondo::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Output : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "rondo_output_XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        work_ = pattern;
    }
    void TearDown() override { fs::remove_all(work_); }

    void touch(const std::string& name) const { std::ofstream{work_ / name} << "text"; }

    template <class Function>
    static std::string message_of(Function function) {
        try {
            function();
        } catch (const InputError& error) {
            return error.what();
        }
        return "nothing was thrown";
    }

    fs::path work_;
};

TEST_F(Output, a_directory_is_made_with_its_parents) {
    prepare_directory(work_ / "a" / "b", {});
    EXPECT_TRUE(fs::is_directory(work_ / "a" / "b"));
}

TEST_F(Output, a_directory_with_a_run_is_refused_unasked) {
    for (const char* name : {"result.h5", "checkpoint_3.h5"}) {
        touch(name);
        EXPECT_THAT(message_of([&] { prepare_directory(work_, {}); }),
                    HasSubstr("holds a run (nothing is overwritten unasked); say --resume to go on with it, "
                              "--overwrite to begin anew"));
        fs::remove(work_ / name);
    }
    prepare_directory(work_, {});
}

TEST_F(Output, resuming_removes_nothing_of_the_run) {
    touch("result.h5");
    touch("checkpoint_3.h5");
    prepare_directory(work_, {.resume = true});
    EXPECT_TRUE(fs::exists(work_ / "result.h5") && fs::exists(work_ / "checkpoint_3.h5"));
}

TEST_F(Output, overwriting_removes_the_run_and_no_other_file) {
    for (const char* name : {"result.h5", "checkpoint_3.h5", "checkpoint_20.h5", "notes.txt", "checkpoint_x.h5"}) {
        touch(name);
    }
    prepare_directory(work_, {.overwrite = true});
    EXPECT_FALSE(fs::exists(work_ / "result.h5") || fs::exists(work_ / "checkpoint_3.h5") ||
                 fs::exists(work_ / "checkpoint_20.h5"));
    EXPECT_TRUE(fs::exists(work_ / "notes.txt") && fs::exists(work_ / "checkpoint_x.h5"));
}

TEST_F(Output, a_directory_that_is_a_file_is_a_store_error) {
    touch("file");
    EXPECT_THROW(prepare_directory(work_ / "file", {}), StoreError);
}

TEST_F(Output, a_file_that_exists_is_refused_unasked) {
    touch("out.h5");
    EXPECT_THAT(message_of([&] { prepare_file(work_ / "out.h5", {}); }),
                HasSubstr("exists (nothing is overwritten unasked); say --overwrite"));
    EXPECT_NO_THROW(prepare_file(work_ / "out.h5", {.overwrite = true}));
}

TEST_F(Output, a_file_that_is_a_directory_is_refused_always) {
    EXPECT_THAT(message_of([&] { prepare_file(work_, {.overwrite = true}); }),
                HasSubstr("is a directory; name a file in it"));
}

TEST_F(Output, a_file_gets_its_parent_directories) {
    prepare_file(work_ / "a" / "b" / "out.h5", {});
    EXPECT_TRUE(fs::is_directory(work_ / "a" / "b"));
    EXPECT_FALSE(fs::exists(work_ / "a" / "b" / "out.h5"));
}

} // namespace
} // namespace rondo::app
