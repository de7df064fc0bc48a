#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace rondo::store {

class FileReader;
class FileWriter;

/// The files rondo writes.
enum class FileKind { checkpoint, result, dataset, evaluation };

/// The text of the attribute `file_kind`.
[[nodiscard]] std::string to_text(FileKind kind);

/// @throws InputError  no such kind; names the known and the nearest
[[nodiscard]] FileKind file_kind(std::string_view text);

/// The highest `format_version` this rondo reads, and the one it writes. It rises when an older rondo would misread the
/// file.
inline constexpr int format_version = 1;

/// Where a file comes from: the root attributes of every file rondo writes.
struct Provenance {
    std::string kind;                                    ///< to_text(FileKind)
    int format_version = store::format_version;          ///< of the layout
    std::string rondo_version;                           ///< such as 0.1.0
    std::string git_hash;                                ///< of rondo's source, or empty
    std::string created;                                 ///< ISO 8601, UTC; empty: now, when written
    std::string command;                                 ///< the command line
    std::string job;                                     ///< text of the job file
    int world_size = 1;                                  ///< ranks of the run
    std::map<std::string, std::string> library_versions; ///< `hdf5` -> `1.10.8` becomes the attribute version_hdf5
};

/// The time now, such as 2025-03-01T12:00:00Z.
[[nodiscard]] std::string utc_now();

/// Write the root attributes file_kind, format_version, rondo_version, git_hash, created, command, world_size, job and
/// version_*.
void write_provenance(FileWriter& file, const Provenance& provenance);

/// @throws InputError  the file was not written by rondo, or by a newer one whose layout this one does not know
[[nodiscard]] Provenance read_provenance(const FileReader& file);

/// As above; opens the file first.
[[nodiscard]] Provenance read_provenance(const std::filesystem::path& path);

/// As above, and refuse a file of another kind.
/// @throws InputError  also where the kind is another one; says which and what is wanted
Provenance require_kind(const FileReader& file, FileKind wanted);

} // namespace rondo::store
