#pragma once

#include <rondo/gradient/parameters.hpp>
#include <rondo/store/file_kind.hpp>
#include <rondo/train/state.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rondo::train {

/// Write `checkpoint_<updates>.h5` into a directory, atomically and with a checksum, then remove all but the newest `keep`.
///
/// Ranks   local: rank 0 writes.
/// @param data_hash  of the ensemble: a resume on other data is refused
/// @throws StoreError  disk full, directory gone; the older checkpoints stay
/// Tests   tests/train/checkpoint_test.cpp
void write_checkpoint(const std::filesystem::path& directory, int keep, const store::Provenance& provenance,
                      std::span<const gradient::Parameter> parameters, std::uint64_t data_hash, const State& state);

/// What a checkpoint holds.
struct Checkpoint {
    std::filesystem::path file;
    store::Provenance provenance;
    std::vector<std::string> names;   ///< [P] all parameters
    std::vector<double> values;       ///< [P] natural
    std::uint64_t data_hash = 0;
    State state;
};

/// Read and verify a checkpoint.
/// @throws InputError  no such file, or not a checkpoint
/// @throws StoreError  damaged
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& file);

/// Parameters by name from a checkpoint or a result: for `evaluate`.
struct ParameterValues {
    std::vector<std::string> names;
    std::vector<double> values;
};
[[nodiscard]] ParameterValues read_parameters(const std::filesystem::path& file);

/// The newest good checkpoint of a directory, and what was wrong with each newer one.
struct Newest {
    std::optional<Checkpoint> checkpoint;
    std::vector<std::string> rejected;
};
[[nodiscard]] Newest newest_checkpoint(const std::filesystem::path& directory);

} // namespace rondo::train
