#include "store_support.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/file_kind.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <gtest/gtest.h>

namespace rondo::store {
namespace {

Provenance example() {
    Provenance provenance;
    provenance.kind = to_text(FileKind::result);
    provenance.rondo_version = "0.1.0";
    provenance.git_hash = "abc123";
    provenance.created = "2025-01-01T12:00:00Z";
    provenance.command = "rondo train job.toml";
    provenance.job = "title = \"\xCE\xB1\"\n";
    provenance.world_size = 4;
    provenance.library_versions = {{"hdf5", hdf5_version()}, {"sundials", "6.4.1"}};
    return provenance;
}

TEST(FileKind, has_one_text_for_each_kind) {
    for (const FileKind kind : {FileKind::checkpoint, FileKind::result, FileKind::dataset, FileKind::evaluation}) {
        EXPECT_EQ(file_kind(to_text(kind)), kind);
    }
    EXPECT_EQ(to_text(FileKind::dataset), "dataset");
    expect_parts(
        message_of<InputError>([] { static_cast<void>(file_kind("reslut")); }),
        {"\"reslut\" is no kind of file (known: checkpoint, dataset, evaluation, result); did you mean \"result\"?"});
}

TEST(Provenance, round_trips) {
    const TempDir dir;
    FileWriter writer{dir / "x.h5"};
    write_provenance(writer, example());
    writer.close();

    const Provenance found = read_provenance(dir / "x.h5");
    EXPECT_EQ(found.kind, "result");
    EXPECT_EQ(found.format_version, format_version);
    EXPECT_EQ(found.rondo_version, "0.1.0");
    EXPECT_EQ(found.git_hash, "abc123");
    EXPECT_EQ(found.created, "2025-01-01T12:00:00Z");
    EXPECT_EQ(found.command, "rondo train job.toml");
    EXPECT_EQ(found.job, "title = \"\xCE\xB1\"\n");
    EXPECT_EQ(found.world_size, 4);
    EXPECT_EQ(found.library_versions, example().library_versions);
}

TEST(Provenance, has_the_documented_attributes) {
    const TempDir dir;
    FileWriter writer{dir / "x.h5"};
    write_provenance(writer, example());
    writer.close();

    std::vector<std::string> attributes;
    for (const AttributeText& attribute : FileReader{dir / "x.h5"}.node("/").attributes) {
        attributes.push_back(attribute.name);
    }
    EXPECT_EQ(attributes,
              (std::vector<std::string>{"command", "created", "file_kind", "format_version", "git_hash", "job",
                                        "rondo_version", "version_hdf5", "version_sundials", "world_size"}));
}

TEST(Provenance, takes_the_time_of_writing) {
    const TempDir dir;
    Provenance provenance = example();
    provenance.created.clear();
    FileWriter writer{dir / "x.h5"};
    write_provenance(writer, provenance);
    writer.close();

    const std::string created = read_provenance(dir / "x.h5").created;
    ASSERT_EQ(created.size(), 20U);
    EXPECT_EQ(created[10], 'T');
    EXPECT_EQ(created.back(), 'Z');
    EXPECT_LE(created, utc_now());
}

TEST(Provenance, refuses_a_newer_format) {
    const TempDir dir;
    Provenance provenance = example();
    provenance.format_version = format_version + 1;
    FileWriter writer{dir / "x.h5"};
    write_provenance(writer, provenance);
    writer.close();

    expect_parts(message_of<InputError>([&] { static_cast<void>(read_provenance(dir / "x.h5")); }),
                 {"x.h5: has format_version 2, written by rondo 0.1.0 (this rondo reads 1 to 1)", "a newer one"});
}

TEST(Provenance, refuses_files_of_others) {
    const TempDir dir;
    FileWriter writer{dir / "x.h5"};
    writer.write("/x", std::vector{1.0});
    writer.close();
    put_bytes(dir / "y.csv", "a,b\n");

    expect_parts(message_of<InputError>([&] { static_cast<void>(read_provenance(dir / "x.h5")); }),
                 {"x.h5: was not written by rondo", "file_kind"});
    expect_parts(message_of<InputError>([&] { static_cast<void>(read_provenance(dir / "y.csv")); }),
                 {"y.csv: is not an HDF5 file"});
}

TEST(Provenance, refuses_an_unknown_kind) {
    const TempDir dir;
    FileWriter writer{dir / "x.h5"};
    writer.write_attribute("/", "file_kind", "chekpoint");
    writer.write_attribute("/", "format_version", 1);
    writer.close();
    Provenance provenance = example();
    provenance.kind = "strange";
    FileWriter other{dir / "y.h5"};

    expect_parts(message_of<InputError>([&] { static_cast<void>(read_provenance(dir / "x.h5")); }),
                 {"x.h5: file_kind: \"chekpoint\"", "did you mean \"checkpoint\"?"});
    EXPECT_THROW(write_provenance(other, provenance), InputError);
}

TEST(RequireKind, says_what_the_file_is_and_what_is_wanted) {
    const TempDir dir;
    FileWriter writer{dir / "x.h5"};
    write_provenance(writer, example());
    writer.close();

    const FileReader reader{dir / "x.h5"};
    EXPECT_EQ(require_kind(reader, FileKind::result).world_size, 4);
    expect_parts(message_of<InputError>([&] { require_kind(reader, FileKind::checkpoint); }),
                 {"x.h5: is a result, not a checkpoint; give a checkpoint"});
}

} // namespace
} // namespace rondo::store
