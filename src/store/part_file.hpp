#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace rondo::store {

/// A file being written beside its final path, as `<path>.part.<pid>`, which `commit` puts in place. Destroyed without
/// `commit`, it is removed.
///
/// Writing never throws: the first failure is remembered and ends all further writing, so that this may be called from
/// C.
class PartFile {
public:
    /// @throws StoreError  the file cannot be created
    explicit PartFile(std::filesystem::path target);
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    ~PartFile();

    [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
    [[nodiscard]] const std::filesystem::path& part() const noexcept { return part_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    void write_at(std::uint64_t offset, std::span<const std::byte> bytes) noexcept;
    /// Fill `bytes`; with zeros where nothing was written.
    void read_at(std::uint64_t offset, std::span<std::byte> bytes) noexcept;
    void resize(std::uint64_t size) noexcept;

    /// @throws StoreError  an earlier call failed
    void throw_if_failed() const;

    /// Sync, rename to the target, sync the directory.
    /// @throws StoreError  one of these or an earlier call failed; the target is as it was
    void commit();

private:
    void remember(const char* doing) noexcept;

    std::filesystem::path target_;
    std::filesystem::path part_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    int error_ = 0;
    const char* doing_ = "";
};

/// What the operating system says about an error number.
[[nodiscard]] std::string system_text(int error_number);

/// The directory a path lies in, "." where it names none.
[[nodiscard]] std::filesystem::path directory_of(const std::filesystem::path& path);

} // namespace rondo::store
