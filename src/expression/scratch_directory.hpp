#pragma once

#include <filesystem>

namespace rondo::expression {

/// A fresh directory that only this user may enter, under $TMPDIR or /tmp; removed with all it holds at the end of
/// scope.
class ScratchDirectory {
public:
    /// @throws StoreError  no directory can be made
    ScratchDirectory();
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    ~ScratchDirectory();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace rondo::expression
