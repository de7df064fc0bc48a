#pragma once

#include "h5.hpp"
#include "part_file.hpp"

namespace rondo::store {

/// A file being written.
struct WriterState {
    explicit WriterState(std::filesystem::path path);

    PartFile part; ///< outlives `file`, which writes through it
    h5::File file;
    bool failed = false;
};

/// A file being read.
struct ReaderState {
    std::filesystem::path path;
    std::size_t max_bytes = default_read_limit;
    h5::File file;
};

/// Open an object that must be there; the error names the nearest of what lies beside it.
[[nodiscard]] h5::Object open_existing(const ReaderState& state, std::string_view path, const h5::Where& where);

/// Content checksum of an open file, see checksum.hpp.
[[nodiscard]] std::uint64_t checksum_of(hid_t file, const h5::Where& where);

} // namespace rondo::store
