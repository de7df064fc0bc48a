#include "store_support.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/numbered_files.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace rondo::store {
namespace {

TEST(ListNumbered, sorts_by_number_not_by_letters) {
    const TempDir dir;
    for (const char* name :
         {"checkpoint_9.h5", "checkpoint_100.h5", "checkpoint_0010.h5", "checkpoint_.h5", "checkpoint_-1.h5",
          "checkpoint_5.h5.part.3", "checkpoint_x.h5", "other_7.h5", "checkpoint_99999999999999999999.h5"}) {
        put_bytes(dir / name, "");
    }

    const std::vector<NumberedFile> files = list_numbered(dir.path());
    ASSERT_EQ(files.size(), 3U);
    EXPECT_EQ(files[0].number, 100);
    EXPECT_EQ(files[1].number, 10);
    EXPECT_EQ(files[1].path, dir / "checkpoint_0010.h5");
    EXPECT_EQ(files[2].number, 9);
    EXPECT_EQ(list_numbered(dir.path(), "other_").size(), 1U);
}

TEST(ListNumbered, a_missing_directory_holds_nothing) {
    const TempDir dir;
    put_bytes(dir / "file", "");
    EXPECT_TRUE(list_numbered(dir / "no").empty());
    expect_parts(message_of<StoreError>([&] { static_cast<void>(list_numbered(dir / "file")); }),
                 {"file: the directory cannot be listed"});
}

TEST(NewestValid, tells_no_file_from_no_good_file) {
    const TempDir dir;
    const auto refuse = [](const std::filesystem::path& path) { throw InputError{path.string() + ": is no good"}; };
    EXPECT_TRUE(newest_valid(dir.path(), "checkpoint_", ".h5", refuse).rejected.empty());
    put_bytes(dir / "checkpoint_1.h5", "");
    put_bytes(dir / "checkpoint_2.h5", "");

    const NewestValid none = newest_valid(dir.path(), "checkpoint_", ".h5", refuse);
    EXPECT_FALSE(none.file.has_value());
    ASSERT_EQ(none.rejected.size(), 2U);
    expect_parts(none.rejected[0], {"checkpoint_2.h5: is no good"});
    const NewestValid newest = newest_valid(dir.path(), "checkpoint_", ".h5", [](const std::filesystem::path&) {});
    EXPECT_EQ(newest.file->number, 2);
}

TEST(NewestValid, lets_other_errors_through) {
    const TempDir dir;
    put_bytes(dir / "checkpoint_1.h5", "");
    const auto fail = [](const std::filesystem::path&) { throw std::runtime_error{"a bug"}; };
    EXPECT_THROW(static_cast<void>(newest_valid(dir.path(), "checkpoint_", ".h5", fail)), std::runtime_error);
}

} // namespace
} // namespace rondo::store
