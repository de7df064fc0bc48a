#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/store/file_kind.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <vector>

namespace rondo::store {
namespace {

struct KindName {
    FileKind kind;
    std::string_view text;
};
constexpr std::array<KindName, 4> kind_names{{{FileKind::checkpoint, "checkpoint"},
                                              {FileKind::result, "result"},
                                              {FileKind::dataset, "dataset"},
                                              {FileKind::evaluation, "evaluation"}}};

constexpr std::string_view library_prefix = "version_";

/// The text of a root attribute, or "" where it is missing.
std::string root_text(const FileReader& file, std::string_view name) {
    return file.has_attribute("/", name) ? file.attribute_scalar<std::string>("/", name) : std::string{};
}

} // namespace

std::string to_text(FileKind kind) {
    for (const KindName& known : kind_names) {
        if (known.kind == kind) {
            return std::string{known.text};
        }
    }
    return {};
}

FileKind file_kind(std::string_view text) {
    std::vector<std::string> words;
    for (const KindName& known : kind_names) {
        if (known.text == text) {
            return known.kind;
        }
        words.emplace_back(known.text);
    }
    throw InputError{fmt::format("file_kind: \"{}\" is no kind of file{}", text, known_words_hint(text, words))};
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

void write_provenance(FileWriter& file, const Provenance& provenance) {
    static_cast<void>(file_kind(provenance.kind));
    file.write_attribute("/", "file_kind", provenance.kind);
    file.write_attribute("/", "format_version", std::int32_t{provenance.format_version});
    file.write_attribute("/", "rondo_version", provenance.rondo_version);
    file.write_attribute("/", "git_hash", provenance.git_hash);
    file.write_attribute("/", "created", provenance.created.empty() ? utc_now() : provenance.created);
    file.write_attribute("/", "command", provenance.command);
    file.write_attribute("/", "job", provenance.job);
    file.write_attribute("/", "world_size", std::int32_t{provenance.world_size});
    for (const auto& [library, version] : provenance.library_versions) {
        file.write_attribute("/", fmt::format("{}{}", library_prefix, library), version);
    }
}

Provenance read_provenance(const FileReader& file) {
    const std::string name = file.path().string();
    if (!file.has_attribute("/", "file_kind") || !file.has_attribute("/", "format_version")) {
        throw InputError{
            fmt::format("{}: was not written by rondo (its root lacks the attribute file_kind or format_version); give "
                        "a checkpoint, result or data set that rondo wrote",
                        name)};
    }
    Provenance found;
    found.kind = file.attribute_scalar<std::string>("/", "file_kind");
    found.format_version = file.attribute_scalar<std::int32_t>("/", "format_version");
    found.rondo_version = root_text(file, "rondo_version");
    if (found.format_version > format_version || found.format_version < 1) {
        throw InputError{
            fmt::format("{}: has format_version {}, written by rondo {} (this rondo reads 1 to {}); read it with that "
                        "rondo or a newer one",
                        name, found.format_version, found.rondo_version, format_version)};
    }
    try {
        static_cast<void>(file_kind(found.kind));
    } catch (const InputError& error) {
        throw InputError{fmt::format("{}: {}", name, error.what())};
    }
    found.git_hash = root_text(file, "git_hash");
    found.created = root_text(file, "created");
    found.command = root_text(file, "command");
    found.job = root_text(file, "job");
    found.world_size =
        file.has_attribute("/", "world_size") ? file.attribute_scalar<std::int32_t>("/", "world_size") : 1;
    for (const AttributeText& attribute : file.node("/").attributes) {
        if (attribute.name.starts_with(library_prefix)) {
            found.library_versions.emplace(attribute.name.substr(library_prefix.size()), attribute.text);
        }
    }
    return found;
}

Provenance read_provenance(const std::filesystem::path& path) { return read_provenance(FileReader{path}); }

Provenance require_kind(const FileReader& file, FileKind wanted) {
    Provenance found = read_provenance(file);
    if (found.kind != to_text(wanted)) {
        throw InputError{fmt::format("{}: is a {}, not a {}; give a {}", file.path().string(), found.kind,
                                     to_text(wanted), to_text(wanted))};
    }
    return found;
}

} // namespace rondo::store
