#include "store_support.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/text_file.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

namespace rondo::store {
namespace {

TEST(AtomicWriteText, replaces_the_whole_file) {
    const TempDir dir;
    atomic_write_text(dir / "a.txt", "long first text");
    atomic_write_text(dir / "a.txt", std::string_view{"x\0y", 3});

    EXPECT_EQ(read_text(dir / "a.txt"), (std::string{"x\0y", 3}));
    EXPECT_EQ(dir.n_files(), 1U);
}

TEST(AtomicWriteText, says_why_it_cannot_write) {
    const TempDir dir;
    put_bytes(dir / "file", "");
    expect_parts(message_of<StoreError>([&] { atomic_write_text(dir / "no/a.txt", "x"); }),
                 {"no/a.txt: cannot be created"});
    expect_parts(message_of<StoreError>([&] { atomic_write_text(dir / "file/a.txt", "x"); }),
                 {"file/a.txt", "Not a directory"});
}

[[noreturn]] void write_more_than_fits(const std::filesystem::path& path) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
        atomic_write_text(path, std::string(5000, 'x'));
    } catch (const StoreError& error) {
        std::exit(std::string_view{error.what()}.find("what was there before is unchanged") != std::string_view::npos
                      ? 0
                      : 2);
    }
    std::exit(1);
}

TEST(AtomicWriteText, keeps_the_old_file_when_the_disk_is_full) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const TempDir dir;
    put_bytes(dir / "a.txt", "old");
    EXPECT_EXIT(write_more_than_fits(dir / "a.txt"), ::testing::ExitedWithCode(0), "");
    EXPECT_EQ(bytes_of(dir / "a.txt"), "old");
    EXPECT_EQ(dir.n_files(), 1U);
}

TEST(ReadText, reads_files_of_any_size_up_to_its_limit) {
    const TempDir dir;
    const std::string large(300000, 'a');
    put_bytes(dir / "large", large);
    put_bytes(dir / "empty", "");

    EXPECT_EQ(read_text(dir / "large", 300000), large);
    EXPECT_EQ(read_text(dir / "empty"), "");
    expect_parts(message_of<InputError>([&] { static_cast<void>(read_text(dir / "large", 299999)); }),
                 {"large: has more than the 299999 bytes"});
}

TEST(ReadText, reads_a_pipe) {
    const TempDir dir;
    ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
    std::thread writer{[&dir] { put_bytes(dir / "pipe", "through"); }};
    EXPECT_EQ(read_text(dir / "pipe"), "through");
    writer.join();
}

TEST(ReadText, names_the_nearest_file) {
    const TempDir dir;
    put_bytes(dir / "hudson_bay.csv", "");
    expect_parts(message_of<InputError>([&] { static_cast<void>(read_text(dir / "hudsonbay.csv")); }),
                 {"hudsonbay.csv: does not exist; did you mean", (dir / "hudson_bay.csv").string()});
    expect_parts(message_of<InputError>([&] { static_cast<void>(read_text(dir / "entirely_else")); }),
                 {"does not exist; check the name and the directory"});
    expect_parts(message_of<InputError>([&] { static_cast<void>(read_text(dir.path())); }), {"is a directory"});
}

TEST(MakeDirectory, makes_parents_and_accepts_what_exists) {
    const TempDir dir;
    make_directory(dir / "a/b");
    make_directory(dir / "a/b");
    put_bytes(dir / "file", "");

    EXPECT_TRUE(std::filesystem::is_directory(dir / "a/b"));
    expect_parts(message_of<StoreError>([&] { make_directory(dir / "file"); }),
                 {"file: the directory cannot be created"});
    expect_parts(message_of<StoreError>([&] { make_directory(dir / "file/x"); }),
                 {"file/x: the directory cannot be created"});
}

TEST(RemovePartFiles, removes_only_what_killed_writers_left) {
    const TempDir dir;
    for (const char* name : {"a.h5.part.123", "a.h5", "b.part.x", "c.part.", ".part.7", "d.part.7.h5"}) {
        put_bytes(dir / name, "x");
    }
    EXPECT_EQ(remove_part_files(dir.path()), 1U);
    EXPECT_FALSE(std::filesystem::exists(dir / "a.h5.part.123"));
    EXPECT_EQ(dir.n_files(), 5U);
    EXPECT_EQ(remove_part_files(dir / "no"), 0U);
}

} // namespace
} // namespace rondo::store
