#pragma once

#include <rondo/base/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>

namespace rondo::store {

/// A fresh directory for one test, removed with all it holds.
class TempDir {
public:
    TempDir() {
        std::string pattern = (std::filesystem::temp_directory_path() / "rondo_store_XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw StoreError{pattern + ": cannot be created"};
        }
        path_ = pattern;
    }
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    ~TempDir() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::size_t n_files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator{path_}, std::filesystem::directory_iterator{}));
    }

private:
    std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream stream{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

inline void put_bytes(const std::filesystem::path& path, std::string_view bytes) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) {
        std::filesystem::remove(path); // some file systems sync a file that is cut and written again
    }
    std::ofstream{path, std::ios::binary} << bytes;
}

/// The message of the `Kind` that `work` throws; "" and a failed test where it throws none.
template <class Kind, class Work>
std::string message_of(Work work) {
    try {
        work();
    } catch (const Kind& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

/// Every part of the message that a user needs is there.
inline void expect_parts(const std::string& message, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
        EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
    }
}

} // namespace rondo::store
