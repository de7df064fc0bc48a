#include "store_support.hpp"

#include <rondo/store/checksum.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace rondo::store {
namespace {

std::string counting_bytes(int n) {
    std::string bytes;
    for (int i = 0; i < n; ++i) {
        bytes += static_cast<char>(i);
    }
    return bytes;
}

// Values of the reference implementation, through its Python binding.
TEST(Hash64, gives_the_published_values) {
    EXPECT_EQ(hash64(""), 0xef46db3751d8e999U);
    EXPECT_EQ(hash64("a"), 0xd24ec4f1a98c6e5bU);
    EXPECT_EQ(hash64("abc"), 0x44bc2cf5ad770999U);
    EXPECT_EQ(hash64("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1U);
    EXPECT_EQ(hash64(counting_bytes(32)), 0xcbf59c5116ff32b4U);
    EXPECT_EQ(hash64(counting_bytes(77)), 0x93f85c1b6280ead3U);
}

TEST(Hash64, depends_on_its_seed_as_published) {
    Hash64 hash{2654435761U};
    hash.add(counting_bytes(101));
    EXPECT_EQ(hash.value(), 0xa1c6d4174c37136dU);
}

TEST(Hash64, any_cut_into_pieces_gives_the_same) {
    const std::string bytes = counting_bytes(100);
    for (std::size_t first = 0; first <= bytes.size(); ++first) {
        for (std::size_t second = first; second <= bytes.size(); second += 7) {
            Hash64 hash;
            hash.add(std::string_view{bytes}.substr(0, first));
            hash.add(std::string_view{bytes}.substr(first, second - first));
            hash.add(std::string_view{bytes}.substr(second));
            ASSERT_EQ(hash.value(), hash64(bytes)) << first << " " << second;
        }
    }
}

using Fill = std::function<void(FileWriter&)>;

std::uint64_t checksum_with(const TempDir& dir, const Fill& fill) {
    FileWriter writer{dir / "x.h5"};
    fill(writer);
    const std::uint64_t before = content_checksum(writer);
    write_checksum(writer);
    writer.close();
    const FileReader reader{dir / "x.h5"};
    EXPECT_NO_THROW(verify_checksum(reader));
    EXPECT_EQ(content_checksum(reader), before) << "read back as it was written";
    return before;
}

TEST(ContentChecksum, depends_on_names_shapes_types_values_and_attributes) {
    const TempDir dir;
    const std::vector<Fill> fills{
        [](FileWriter&) {},
        [](FileWriter& w) { w.create_group("/x"); },
        [](FileWriter& w) {
            w.write("/x", std::vector{1.0, 2.0});
        },
        [](FileWriter& w) {
            w.write("/y", std::vector{1.0, 2.0});
        },
        [](FileWriter& w) {
            w.write("/y/x", std::vector{1.0, 2.0});
        },
        [](FileWriter& w) {
            w.write("/x", std::vector{1.0, 2.5});
        },
        [](FileWriter& w) {
            w.write("/x", std::vector{0.0, 0.0});
        },
        [](FileWriter& w) {
            w.write("/x", std::vector{0.0, -0.0});
        },
        [](FileWriter& w) {
            w.write("/x", std::vector{1.0, 2.0}, {2, 1});
        },
        [](FileWriter& w) {
            w.write("/x", std::vector<std::int64_t>{1, 2});
        },
        [](FileWriter& w) {
            w.write("/x", std::vector<std::int32_t>{1, 2});
        },
        [](FileWriter& w) { w.write("/x", std::vector<double>{}); },
        [](FileWriter& w) {
            w.write("/x", std::vector<std::string>{"ab", "c"});
        },
        [](FileWriter& w) {
            w.write("/x", std::vector<std::string>{"a", "bc"});
        },
        [](FileWriter& w) { w.write_scalar("/x", 1.0); },
        [](FileWriter& w) { w.write_attribute("/", "job", "a"); },
        [](FileWriter& w) { w.write_attribute("/", "job", "b"); },
        [](FileWriter& w) { w.write_attribute("/", "world_size", 2); },
    };
    std::vector<std::uint64_t> checksums;
    checksums.reserve(fills.size());
    for (const Fill& fill : fills) {
        checksums.push_back(checksum_with(dir, fill));
    }

    std::ranges::sort(checksums);
    EXPECT_EQ(std::ranges::adjacent_find(checksums), checksums.end());
}

TEST(ContentChecksum, does_not_depend_on_the_order_or_layout) {
    const TempDir dir;
    const std::vector<double> values(200, 3.5);
    const auto one = checksum_with(dir, [&](FileWriter& w) {
        w.write("/a", values, {100, 2});
        w.write("/b", std::vector{1.0});
        w.write_attribute("/", "first", 1);
        w.write_attribute("/", "second", 2);
    });
    const auto other = checksum_with(dir, [&](FileWriter& w) {
        w.write_attribute("/", "second", 2);
        w.write_attribute("/", "first", 1);
        w.write("/b", std::vector{1.0});
        w.write("/a", values, {100, 2}, {}, Compression::deflate);
    });

    EXPECT_EQ(one, other);
}

TEST(ContentChecksum, covers_large_data_in_pieces) {
    const TempDir dir;
    std::vector<double> values(3000000);
    std::iota(values.begin(), values.end(), 0.0);
    const auto one = checksum_with(dir, [&](FileWriter& w) { w.write("/x", values, {1000000, 3}); });
    values.back() += 1;
    const auto other = checksum_with(dir, [&](FileWriter& w) { w.write("/x", values, {1000000, 3}); });
    EXPECT_NE(one, other);
}

/// A checkpoint whose third value other software has changed.
void change_one_value(const std::filesystem::path& path) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "/x", H5P_DEFAULT);
    const std::vector<double> values{1, 2, 4};
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Fclose(file);
}

TEST(VerifyChecksum, says_that_the_content_was_changed) {
    const TempDir dir;
    checksum_with(dir, [](FileWriter& w) { w.write("/x", std::vector{1.0, 2.0, 3.0}); });
    change_one_value(dir / "x.h5");

    const FileReader reader{dir / "x.h5"};
    EXPECT_EQ(reader.read<double>("/x"), (std::vector{1.0, 2.0, 4.0})) << "without its seal the file still reads";
    const std::string message = message_of<StoreError>([&] { verify_checksum(reader); });
    expect_parts(message, {"x.h5: \"/checksum\": is xxh64:", "but the content gives xxh64:", "use another copy"});
}

TEST(VerifyChecksum, says_that_it_is_missing) {
    const TempDir dir;
    FileWriter writer{dir / "x.h5"};
    writer.close();
    const FileReader reader{dir / "x.h5"};
    expect_parts(message_of<StoreError>([&] { verify_checksum(reader); }), {"\"/checksum\": is missing"});
}

} // namespace
} // namespace rondo::store
