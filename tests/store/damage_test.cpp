#include "store_support.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/checksum.hpp>
#include <rondo/store/file_kind.hpp>
#include <rondo/store/hdf5_file.hpp>
#include <rondo/store/numbered_files.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <optional>

namespace rondo::store {
namespace {

const std::vector<double> values{0.5, 1.5, 2.5};
const std::vector<std::string> names{"alpha", "beta", "gamma"};

void write_checkpoint(const std::filesystem::path& path) {
    FileWriter writer{path};
    Provenance provenance;
    provenance.kind = to_text(FileKind::checkpoint);
    provenance.created = "2025-01-01T00:00:00Z";
    provenance.job = "title = \"x\"";
    write_provenance(writer, provenance);
    writer.write("/parameters/names", names);
    writer.write("/parameters/values", values, {3}, {"/parameters/names"});
    writer.write("/ensemble/cost", std::vector<std::int64_t>(300, 7), {300}, {}, Compression::deflate);
    write_checksum(writer);
    writer.close();
}

/// Read everything; the error where that is refused, and a failed test where other content passes as good.
std::optional<std::string> refusal(const std::filesystem::path& path) {
    try {
        const FileReader reader{path};
        static_cast<void>(read_provenance(reader));
        verify_checksum(reader);
        EXPECT_EQ(reader.read<std::string>("/parameters/names"), names);
        EXPECT_EQ(reader.read<double>("/parameters/values"), values);
        return std::nullopt;
    } catch (const StoreError& error) {
        return error.what();
    } catch (const InputError& error) {
        return error.what();
    }
}

/// Overwrite one byte in place.
void put_byte(const std::filesystem::path& path, std::size_t at, char byte) {
    std::fstream stream{path, std::ios::in | std::ios::out | std::ios::binary};
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(byte);
}

TEST(Damage, a_flipped_byte_is_found_or_harmless) {
    const TempDir dir;
    write_checkpoint(dir / "damaged.h5");
    const std::string good = bytes_of(dir / "damaged.h5");
    std::size_t n_harmless = 0;
    for (std::size_t at = 0; at < good.size(); ++at) {
        put_byte(dir / "damaged.h5", at, static_cast<char>(good[at] ^ (1 << (at % 8))));
        const auto message = refusal(dir / "damaged.h5");
        put_byte(dir / "damaged.h5", at, good[at]);
        n_harmless += message ? 0 : 1;
        if (message) {
            ASSERT_NE(message->find("damaged.h5: is damaged"), std::string::npos) << at << ": " << *message;
        }
    }

    EXPECT_EQ(refusal(dir / "damaged.h5"), std::nullopt);
    EXPECT_EQ(n_harmless, 8U) << "only a flip in the mark of the seal itself goes unnoticed";
}

TEST(Damage, a_file_cut_at_any_length_is_refused) {
    constexpr std::size_t seal_size = 24;
    const TempDir dir;
    write_checkpoint(dir / "cut.h5");
    const std::size_t size = std::filesystem::file_size(dir / "cut.h5");
    for (std::size_t length = size; length-- > 0;) {
        std::filesystem::resize_file(dir / "cut.h5", length);
        const auto message = refusal(dir / "cut.h5");
        ASSERT_EQ(message.has_value(), length < size - seal_size) << length;
        if (message) {
            ASSERT_NE(message->find("cut.h5"), std::string::npos) << *message;
            ASSERT_NE(message->find("damaged"), std::string::npos) << *message;
        }
    }
}

TEST(Damage, a_block_of_zeros_is_found) {
    const TempDir dir;
    write_checkpoint(dir / "good.h5");
    const std::string good = bytes_of(dir / "good.h5");
    for (std::size_t at = 0; at + 512 < good.size(); at += 512) {
        std::string damaged = good;
        damaged.replace(at, 512, 512, '\0');
        put_bytes(dir / "damaged.h5", damaged);
        EXPECT_EQ(refusal(dir / "damaged.h5").has_value(), damaged != good) << at;
    }
}

TEST(Damage, is_not_looked_for_where_the_caller_trusts) {
    const TempDir dir;
    FileWriter writer{dir / "x.h5"};
    writer.write("/x", std::vector<double>(1000, 1.0));
    writer.close();
    std::string bytes = bytes_of(dir / "x.h5");
    bytes[bytes.size() - 4000] = static_cast<char>(bytes[bytes.size() - 4000] ^ 1);
    put_bytes(dir / "x.h5", bytes);

    EXPECT_EQ((FileReader{dir / "x.h5", Integrity::trust}.read<double>("/x").size()), 1000U);
    expect_parts(message_of<StoreError>([&] { FileReader{dir / "x.h5", Integrity::check}; }), {"x.h5: is damaged"});
}

TEST(Damage, the_newest_good_checkpoint_is_found) {
    const TempDir dir;
    for (const char* name : {"checkpoint_9.h5", "checkpoint_10.h5", "checkpoint_11.h5"}) {
        write_checkpoint(dir / name);
    }
    std::filesystem::resize_file(dir / "checkpoint_11.h5", 1000);

    const NewestValid newest = newest_valid(
        dir.path(), "checkpoint_", ".h5", [](const std::filesystem::path& path) { verify_checksum(FileReader{path}); });
    ASSERT_TRUE(newest.file.has_value());
    EXPECT_EQ(newest.file->number, 10);
    ASSERT_EQ(newest.rejected.size(), 1U);
    expect_parts(newest.rejected[0], {"checkpoint_11.h5", "damaged"});
}

} // namespace
} // namespace rondo::store
