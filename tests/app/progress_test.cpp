#include "app/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace rondo::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Takes what is logged, line by line, in place of the default logger.
class ProgressLog : public ::testing::Test {
protected:
    void SetUp() override {
        before_ = spdlog::default_logger();
        auto logger = std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_));
        logger->set_pattern("%v");
        spdlog::set_default_logger(std::move(logger));
    }
    void TearDown() override { spdlog::set_default_logger(before_); }

    /// The updates a line was written for, of a run from `first` to `last`.
    std::vector<int> reported(std::int64_t first, std::int64_t last) {
        Progress progress{last, last, first};
        for (std::int64_t update = first; update < last; ++update) {
            progress.report({.update = update, .epoch = update, .n_solved = 1});
        }
        std::vector<int> updates;
        std::string word;
        while (text_ >> word) {
            if (word == "update") {
                text_ >> word;
                updates.push_back(std::stoi(word));
            }
        }
        return updates;
    }

    std::stringstream text_;

private:
    std::shared_ptr<spdlog::logger> before_;
};

TEST_F(ProgressLog, has_lines_at_1_2_5_10_and_the_last_update) {
    EXPECT_THAT(reported(0, 1234), ElementsAre(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1234));
}

TEST_F(ProgressLog, counts_afresh_after_a_resume) {
    EXPECT_THAT(reported(300, 325), ElementsAre(301, 302, 305, 310, 320, 325));
}

TEST_F(ProgressLog, of_one_update_has_one_line) { EXPECT_THAT(reported(0, 1), ElementsAre(1)); }

TEST_F(ProgressLog, says_loss_and_gradient_and_only_what_there_is_of_the_rest) {
    Progress progress{5, 10, 0};
    progress.report({.update = 0, .epoch = 0, .loss = 2.5, .gradient_norm = 0.25, .n_solved = 8});
    EXPECT_THAT(text_.str(), HasSubstr("update 1/10, epoch 1/5: loss 2.5, |gradient| 0.25; "));
    EXPECT_THAT(text_.str(), Not(HasSubstr("failed")));
    progress.report({.update = 1,
                     .epoch = 0,
                     .loss = 2.0,
                     .validation_loss = 1.5,
                     .gradient_norm = 0.125,
                     .n_solved = 6,
                     .n_failed = 2});
    EXPECT_THAT(text_.str(), HasSubstr("update 2/10, epoch 1/5: loss 2, |gradient| 0.125, validation 1.5, 2 failed; "));
}

} // namespace
} // namespace rondo::app
