#include "expression/cache.hpp"

#include "support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace rondo::expression {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytes(const std::string& text) {
    const auto view = std::as_bytes(std::span{text});
    return {view.begin(), view.end()};
}

fs::path only_entry(const fs::path& directory) {
    const std::vector<fs::directory_entry> entries{fs::directory_iterator{directory}, {}};
    EXPECT_EQ(entries.size(), 1U);
    return entries.at(0).path();
}

std::string contents(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

void write(const fs::path& path, const std::string& text) { std::ofstream{path, std::ios::binary} << text; }

TEST(Cache, gives_back_what_was_stored) {
    const ScratchDirectory scratch;
    const Cache cache{scratch.path() / "a" / "b"};
    EXPECT_EQ(cache.find("key"), std::nullopt);
    cache.store("key", bytes("object"));
    EXPECT_EQ(cache.find("key"), bytes("object"));
    EXPECT_EQ(cache.find("other"), std::nullopt);
    cache.store("key", bytes(""));
    EXPECT_EQ(cache.find("key"), bytes(""));
}

TEST(Cache, makes_its_directory_for_this_user_only) {
    const ScratchDirectory scratch;
    const auto before = ::umask(0);
    const Cache cache{scratch.path() / "cache"};
    ::umask(before);
    EXPECT_EQ(fs::status(scratch.path() / "cache").permissions(), fs::perms::owner_all);
}

TEST(Cache, ignores_a_changed_entry) {
    const ScratchDirectory scratch;
    const Cache cache{scratch.path()};
    cache.store("key", bytes("object"));
    const fs::path entry = only_entry(scratch.path());
    const std::string whole = contents(entry);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        write(entry, changed);
        EXPECT_EQ(cache.find("key"), std::nullopt) << "byte " << i;
    }
    for (std::size_t size = 0; size < whole.size(); ++size) {
        write(entry, whole.substr(0, size));
        EXPECT_EQ(cache.find("key"), std::nullopt) << "cut to " << size;
    }
    write(entry, whole + "x");
    EXPECT_EQ(cache.find("key"), std::nullopt);
    write(entry, whole);
    EXPECT_EQ(cache.find("key"), bytes("object"));
}

TEST(Cache, ignores_an_entry_of_another_key_under_this_name) {
    const ScratchDirectory scratch;
    const Cache cache{scratch.path()};
    cache.store("key", bytes("object"));
    const fs::path name = only_entry(scratch.path());
    fs::remove(name);
    cache.store("yek", bytes("wrong"));
    fs::rename(only_entry(scratch.path()), name);
    EXPECT_EQ(cache.find("key"), std::nullopt);
}

TEST(Cache, does_not_use_a_directory_that_others_may_write_to) {
    for (const auto perms : {fs::perms::others_write, fs::perms::group_write}) {
        const ScratchDirectory scratch;
        Cache{scratch.path()}.store("key", bytes("object"));
        fs::permissions(scratch.path(), perms, fs::perm_options::add);
        const Cache cache{scratch.path()};
        EXPECT_EQ(cache.find("key"), std::nullopt);
        cache.store("other", bytes("object"));
        only_entry(scratch.path());
    }
}

TEST(Cache, ignores_an_entry_that_others_may_write_to_and_links) {
    const ScratchDirectory scratch;
    const Cache cache{scratch.path()};
    cache.store("key", bytes("object"));
    const fs::path entry = only_entry(scratch.path());
    fs::permissions(entry, fs::perms::others_write, fs::perm_options::add);
    EXPECT_EQ(cache.find("key"), std::nullopt);
    fs::permissions(entry, fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(cache.find("key"), bytes("object"));
    fs::rename(entry, scratch.path() / "elsewhere");
    fs::create_symlink(scratch.path() / "elsewhere", entry);
    EXPECT_EQ(cache.find("key"), std::nullopt);
}

TEST(Cache, no_directory_is_an_empty_cache) {
    const ScratchDirectory scratch;
    write(scratch.path() / "file", "");
    for (const fs::path& path : {fs::path{}, scratch.path() / "file", scratch.path() / "file" / "cache"}) {
        const Cache cache{path};
        cache.store("key", bytes("object"));
        EXPECT_EQ(cache.find("key"), std::nullopt);
    }
}

TEST(DefaultCacheDirectory, takes_the_first_variable_that_is_set) {
    const ScopedVariable home{"HOME", "/home/me"};
    {
        const ScopedVariable own{"RONDO_CACHE_DIR", "/own"}, xdg{"XDG_CACHE_HOME", "/xdg"};
        EXPECT_EQ(default_cache_directory(), "/own");
    }
    const ScopedVariable own{"RONDO_CACHE_DIR", std::nullopt};
    {
        const ScopedVariable xdg{"XDG_CACHE_HOME", "/xdg"};
        EXPECT_EQ(default_cache_directory(), "/xdg/rondo");
    }
    const ScopedVariable xdg{"XDG_CACHE_HOME", "not/absolute"};
    EXPECT_EQ(default_cache_directory(), "/home/me/.cache/rondo");
    const ScopedVariable homeless{"HOME", std::nullopt};
    EXPECT_EQ(default_cache_directory(), "");
}

} // namespace
} // namespace rondo::expression
