#include "store_support.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdlib>
#include <numeric>

namespace rondo::store {
namespace {

/// A file as other software writes it, through HDF5's own functions.
class ForeignFile {
public:
    explicit ForeignFile(const std::filesystem::path& path)
        : file_{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)} {}
    ForeignFile(const ForeignFile&) = delete;
    ForeignFile& operator=(const ForeignFile&) = delete;
    ~ForeignFile() { H5Fclose(file_); }
    [[nodiscard]] hid_t id() const { return file_; }

    void add(const char* name, hid_t stored, hid_t memory, hsize_t count, const void* values) const {
        const hid_t space = H5Screate_simple(1, &count, nullptr);
        const hid_t dataset = H5Dcreate2(file_, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (values != nullptr) {
            H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        }
        H5Dclose(dataset);
        H5Sclose(space);
    }

private:
    hid_t file_;
};

std::filesystem::path small_file(const TempDir& dir) {
    FileWriter writer{dir / "small.h5"};
    std::vector<double> values(12);
    std::iota(values.begin(), values.end(), 0.0);
    writer.write("/data/value", values, {4, 3});
    writer.write("/data/names", std::vector<std::string>{"a", "b", "c", "d"});
    writer.write_scalar("/data/count", 7);
    writer.close();
    return dir / "small.h5";
}

TEST(FileReader, reads_a_range_of_rows) {
    const TempDir dir;
    const FileReader reader{small_file(dir)};

    EXPECT_EQ(reader.read<double>("/data/value", {1, 2}), (std::vector<double>{3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(reader.read<std::string>("/data/names", {3, 1}), std::vector<std::string>{"d"});
    EXPECT_TRUE(reader.read<double>("/data/value", {4, 0}).empty());
    EXPECT_TRUE(reader.read<std::string>("/data/names", {0, 0}).empty());
}

TEST(FileReader, refuses_rows_that_are_not_there) {
    const TempDir dir;
    const FileReader reader{small_file(dir)};

    const auto read = [&](Rows rows) {
        return message_of<StoreError>([&] { static_cast<void>(reader.read<double>("/data/value", rows)); });
    };
    expect_parts(read({3, 2}), {"small.h5: \"/data/value\": has 4 rows, not 2 from row 3 on"});
    expect_parts(read({5, 0}), {"has 4 rows"});
    expect_parts(read({1, ~std::size_t{0}}), {"has 4 rows"});
}

TEST(FileReader, names_the_nearest_dataset) {
    const TempDir dir;
    const FileReader reader{small_file(dir)};

    const auto read = [&](const char* path) {
        return message_of<StoreError>([&] { static_cast<void>(reader.read<double>(path)); });
    };
    expect_parts(read("/data/vlaue"),
                 {"small.h5: \"/data/vlaue\": does not exist (known: count, names, value); did you mean \"value\"?"});
    expect_parts(read("/date/value"), {"there is no group /date"});
    expect_parts(read("/data/value/x"), {"/data/value is no group"});
    expect_parts(read("/data"), {"is no dataset but a group"});
    EXPECT_TRUE(reader.exists("/data"));
    EXPECT_TRUE(reader.exists("/"));
    EXPECT_TRUE(reader.exists("/data/value"));
    EXPECT_FALSE(reader.exists("/data/value/x"));
    EXPECT_FALSE(reader.exists("/no/value"));
}

TEST(FileReader, refuses_another_type) {
    const TempDir dir;
    const FileReader reader{small_file(dir)};

    const auto read_text = [&] { static_cast<void>(reader.read<std::string>("/data/value")); };
    const auto read_number = [&] { static_cast<void>(reader.read<double>("/data/names")); };
    const auto read_integer = [&] { static_cast<void>(reader.read<std::int64_t>("/data/value")); };
    const auto read_scalar = [&] { static_cast<void>(reader.read_scalar<double>("/data/value")); };
    const auto read_attribute = [&] { static_cast<void>(reader.attribute<double>("/data", "unit")); };
    expect_parts(message_of<StoreError>(read_text), {"\"/data/value\": holds float64 where text is needed"});
    expect_parts(message_of<StoreError>(read_number), {"\"/data/names\": holds text where a number is needed"});
    expect_parts(message_of<StoreError>(read_integer), {"holds float64 where an integer is needed"});
    expect_parts(message_of<StoreError>(read_scalar), {"holds 12 values where one is needed"});
    expect_parts(message_of<StoreError>(read_attribute), {"small.h5: \"/data\": has no attribute unit"});
}

TEST(FileReader, converts_numbers_of_other_software) {
    const TempDir dir;
    const std::vector<float> floats{0.5F, 2.0F};
    const std::vector<std::uint8_t> bytes{0, 255};
    const std::vector<std::uint64_t> large{1, std::uint64_t{1} << 63U};
    const std::vector<std::int64_t> longs{1, std::int64_t{1} << 60};
    {
        const ForeignFile file{dir / "foreign.h5"};
        file.add("floats", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, 2, floats.data());
        file.add("bytes", H5T_STD_U8LE, H5T_NATIVE_UINT8, 2, bytes.data());
        file.add("large", H5T_STD_U64BE, H5T_NATIVE_UINT64, 2, large.data());
        file.add("longs", H5T_STD_I64BE, H5T_NATIVE_INT64, 2, longs.data());
        const hid_t boolean = H5Tenum_create(H5T_STD_I8LE);
        for (const std::int8_t value : {std::int8_t{0}, std::int8_t{1}}) {
            H5Tenum_insert(boolean, value == 0 ? "FALSE" : "TRUE", &value);
        }
        const std::vector<std::int8_t> truths{1, 0};
        file.add("truths", boolean, boolean, 2, truths.data());
        H5Tclose(boolean);
        file.add("opaque", H5T_STD_REF_OBJ, H5T_STD_REF_OBJ, 2, nullptr);
    }

    const FileReader reader{dir / "foreign.h5"};
    EXPECT_EQ(reader.read<double>("/floats"), (std::vector{0.5, 2.0}));
    EXPECT_EQ(reader.read<double>("/bytes"), (std::vector{0.0, 255.0}));
    EXPECT_EQ(reader.read<std::int32_t>("/bytes"), (std::vector<std::int32_t>{0, 255}));
    EXPECT_EQ(reader.read<std::int64_t>("/longs"), longs);
    EXPECT_EQ(reader.read<std::int64_t>("/large", {0, 1}), std::vector<std::int64_t>{1});
    EXPECT_EQ(reader.read<std::int32_t>("/truths"), (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(reader.node("/truths").type, "int8");
    EXPECT_EQ(reader.node("/floats").type, "float32");
    const auto too_large = [&] { static_cast<void>(reader.read<std::int64_t>("/large")); };
    const auto too_long = [&] { static_cast<void>(reader.read<std::int32_t>("/longs")); };
    const auto inexact = [&] { static_cast<void>(reader.read<double>("/longs")); };
    const auto reference = [&] { static_cast<void>(reader.read<double>("/opaque")); };
    expect_parts(message_of<StoreError>(too_large), {"holds 9223372036854775808, which does not fit int64"});
    expect_parts(message_of<StoreError>(too_long), {"holds 1152921504606846976, which does not fit int32"});
    expect_parts(message_of<StoreError>(inexact), {"does not fit float64 exactly"});
    expect_parts(message_of<StoreError>(reference), {"holds reference where a number is needed"});
}

TEST(FileReader, reads_text_of_fixed_length) {
    const TempDir dir;
    {
        const ForeignFile file{dir / "foreign.h5"};
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 4);
        for (const auto& [name, padding, bytes] : {std::tuple{"null", H5T_STR_NULLPAD, "ab\0\0abcd"},
                                                   {"term", H5T_STR_NULLTERM, "ab\0xabc\0"},
                                                   {"space", H5T_STR_SPACEPAD, "ab  a  d"}}) {
            H5Tset_strpad(type, padding);
            file.add(name, type, type, 2, bytes);
        }
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        file.add("latin", type, type, 1, "\xE9t\xE9\0");
        H5Tclose(type);
    }

    const FileReader reader{dir / "foreign.h5"};
    EXPECT_EQ(reader.read<std::string>("/null"), (std::vector<std::string>{"ab", "abcd"}));
    EXPECT_EQ(reader.read<std::string>("/term"), (std::vector<std::string>{"ab", "abc"}));
    EXPECT_EQ(reader.read<std::string>("/space"), (std::vector<std::string>{"ab", "a  d"}));
    expect_parts(message_of<StoreError>([&] { static_cast<void>(reader.read<std::string>("/latin")); }),
                 {"\"/latin\": holds text that is not UTF-8"});
}

TEST(FileReader, refuses_more_than_its_limit_before_it_takes_memory) {
    const TempDir dir;
    {
        const ForeignFile file{dir / "huge.h5"};
        file.add("values", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 4, nullptr);
        const hsize_t lengths[] = {hsize_t{1} << 40U, hsize_t{1} << 40U};
        const hid_t space = H5Screate_simple(2, lengths, nullptr);
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk[] = {16, 16};
        H5Pset_chunk(creation, 2, chunk);
        H5Dclose(H5Dcreate2(file.id(), "huge", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
        H5Pclose(creation);
        H5Sclose(space);
    }
    FileWriter writer{dir / "words.h5"};
    writer.write("/words", std::vector<std::string>(10, std::string(1000, 'x')));
    writer.close();

    const FileReader huge{dir / "huge.h5"};
    const FileReader words{dir / "words.h5", Integrity::automatic, 5000};
    const FileReader strict{dir / "huge.h5", Integrity::automatic, 31};
    expect_parts(message_of<StoreError>([&] { static_cast<void>(huge.read<double>("/huge")); }),
                 {"holds 1099511627776 x 1099511627776 values of 8 bytes, more than the 17179869184 bytes"});
    expect_parts(message_of<StoreError>([&] { static_cast<void>(strict.read<double>("/values")); }),
                 {"more than the 31 bytes"});
    EXPECT_EQ(strict.read<double>("/values", {0, 3}).size(), 3U);
    expect_parts(message_of<StoreError>([&] { static_cast<void>(words.read<std::string>("/words")); }),
                 {"words.h5: \"/words\":"});
    EXPECT_EQ(words.read<std::string>("/words", {0, 4}).size(), 4U);
}

TEST(FileReader, describes_what_a_file_holds) {
    const TempDir dir;
    FileWriter writer{dir / "nodes.h5"};
    writer.write("/group/time", std::vector{0.0, 1.0});
    writer.write("/group/value", std::vector<double>(4), {2, 2}, {"/group/time", ""});
    writer.write_attribute("/group/value", "unit", "mg/L");
    writer.write_attribute("/group/value", "range", std::vector{0.5, 2.0});
    writer.write_attribute("/group", "many", std::vector<std::int64_t>(20, 1));
    writer.close();

    const FileReader reader{dir / "nodes.h5"};
    const std::vector<Node> root = reader.children("/");
    const std::vector<Node> nodes = reader.children("/group");
    ASSERT_EQ(root.size(), 1U);
    EXPECT_EQ(root[0].path, "/group");
    EXPECT_EQ(root[0].kind, NodeKind::group);
    ASSERT_EQ(root[0].attributes.size(), 1U);
    EXPECT_EQ(root[0].attributes[0].text, "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ... (20 in all)");
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].path, "/group/time");
    EXPECT_TRUE(nodes[0].attributes.empty());
    EXPECT_EQ(nodes[1].kind, NodeKind::dataset);
    EXPECT_EQ(nodes[1].type, "float64");
    EXPECT_EQ(nodes[1].shape, (Shape{2, 2}));
    EXPECT_EQ(nodes[1].axes, (std::vector<std::string>{"time", ""}));
    ASSERT_EQ(nodes[1].attributes.size(), 2U);
    EXPECT_EQ(nodes[1].attributes[0].name, "range");
    EXPECT_EQ(nodes[1].attributes[0].text, "0.5, 2");
    EXPECT_EQ(nodes[1].attributes[1].text, "mg/L");
    expect_parts(message_of<StoreError>([&] { static_cast<void>(reader.children("/group/time")); }), {"is no group"});
}

TEST(FileReader, does_not_follow_links_when_it_lists) {
    const TempDir dir;
    {
        const ForeignFile file{dir / "links.h5"};
        H5Lcreate_soft("/nowhere", file.id(), "dangling", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_external("other.h5", "/x", file.id(), "outside", H5P_DEFAULT, H5P_DEFAULT);
    }

    const FileReader reader{dir / "links.h5"};
    const std::vector<Node> nodes = reader.children("/");
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].kind, NodeKind::other);
    EXPECT_EQ(nodes[1].type, "link");
    EXPECT_FALSE(reader.exists("/dangling"));
}

TEST(FileReader, names_the_nearest_file) {
    const TempDir dir;
    small_file(dir);

    expect_parts(message_of<InputError>([&] { FileReader{dir / "smal.h5"}; }),
                 {"smal.h5: does not exist; did you mean", (dir / "small.h5").string()});
    expect_parts(message_of<InputError>([&] { FileReader{dir / "no/small.h5"}; }), {"there is no directory", "/no"});
    expect_parts(message_of<InputError>([&] { FileReader{dir.path()}; }), {"is a directory"});
}

TEST(FileReader, refuses_what_is_not_hdf5) {
    const TempDir dir;
    put_bytes(dir / "table.csv", "a,b\n1,2\n");
    put_bytes(dir / "empty.h5", "");
    put_bytes(dir / "zeros.h5", std::string(5000, '\0'));

    expect_parts(message_of<InputError>([&] { FileReader{dir / "table.csv"}; }),
                 {"table.csv: is not an HDF5 file; give a file"});
    expect_parts(message_of<StoreError>([&] { FileReader{dir / "empty.h5"}; }), {"empty.h5: is damaged"});
    expect_parts(message_of<StoreError>([&] { FileReader{dir / "zeros.h5"}; }), {"zeros.h5: is damaged"});
}

TEST(FileReader, does_not_lock_files_unless_the_user_wants_it) {
    const TempDir dir;
    const FileReader reader{small_file(dir)};
    const char* locking = std::getenv("HDF5_USE_FILE_LOCKING");
    ASSERT_NE(locking, nullptr);
    EXPECT_STREQ(locking, "FALSE");
}

TEST(Hdf5Version, has_three_numbers) { EXPECT_EQ(hdf5_version().find("1."), 0U); }

} // namespace
} // namespace rondo::store
