#pragma once

#include <rondo/train/state.hpp>

#include <support/small_problems.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>

namespace rondo::test {

/// A fresh directory of this rank, removed at the end.
class TempDirectory {
public:
    TempDirectory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "rondo_train_XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            ADD_FAILURE() << "no temporary directory " << pattern;
        }
        path_ = pattern;
    }
    TempDirectory(const TempDirectory&) = delete;
    TempDirectory& operator=(const TempDirectory&) = delete;
    ~TempDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// The text of the `Kind` that `work` throws.
template <class Kind, class Work>
std::string message_of(const Work& work) {
    try {
        work();
    } catch (const Kind& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string{"another kind: "} + error.what();
    }
    return "no exception";
}

inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// Everything a run promises to be the same: all but wall times, and counts that a rank keeps for itself.
inline void expect_same(const train::State& a, const train::State& b) {
    EXPECT_EQ(a.optimiser, b.optimiser);
    EXPECT_EQ(a.epoch, b.epoch);
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.epoch_loss, b.epoch_loss);
    EXPECT_EQ(a.epoch_solved, b.epoch_solved);
    EXPECT_EQ(bits(a.best.loss), bits(b.best.loss));
    EXPECT_EQ(a.best.epoch, b.best.epoch);
    EXPECT_EQ(a.best.coordinates, b.best.coordinates);
    EXPECT_EQ(a.costs, b.costs);
    EXPECT_EQ(a.failed_at_accepted, b.failed_at_accepted);
    EXPECT_EQ(a.ended, b.ended);
    ASSERT_EQ(a.history.size(), b.history.size());
    for (std::size_t i = 0; i < a.history.size(); ++i) {
        const train::HistoryRow &one = a.history[i], &other = b.history[i];
        EXPECT_EQ(one.update, other.update) << "row " << i;
        EXPECT_EQ(one.epoch, other.epoch) << "row " << i;
        EXPECT_EQ(bits(one.loss), bits(other.loss)) << "row " << i;
        EXPECT_EQ(bits(one.validation_loss), bits(other.validation_loss)) << "row " << i;
        EXPECT_EQ(bits(one.gradient_norm), bits(other.gradient_norm)) << "row " << i;
        EXPECT_EQ(bits(one.learning_rate), bits(other.learning_rate)) << "row " << i;
        EXPECT_EQ(one.n_solved, other.n_solved) << "row " << i;
        EXPECT_EQ(one.n_failed, other.n_failed) << "row " << i;
    }
}

} // namespace rondo::test
