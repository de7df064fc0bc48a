#include "store_support.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/checksum.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <sys/resource.h>

namespace rondo::store {
namespace {

TEST(FileWriter, round_trips_every_type_and_shape) {
    const TempDir dir;
    const std::vector<double> matrix{0.1, -0.0, 1e-310, std::numeric_limits<double>::infinity(), 5, 6};
    const std::vector<std::int64_t> longs{std::numeric_limits<std::int64_t>::min(), 0,
                                          std::numeric_limits<std::int64_t>::max()};
    const std::vector<std::int32_t> ints{-7, 7, std::numeric_limits<std::int32_t>::max(), 0, 1, 2, 3, 4};
    const std::vector<std::string> words{"hare", "", "Sch\xC3\xB6n \xE2\x82\xAC", std::string(100000, 'x')};

    FileWriter writer{dir / "all.h5"};
    writer.write("/a/b/matrix", matrix, {2, 3});
    writer.write("/longs", longs);
    writer.write("/cube", ints, {2, 2, 2});
    writer.write("/words", words);
    writer.write_scalar("/one/double", 2.5);
    writer.write_scalar("/one/int64", std::int64_t{1} << 40);
    writer.write_scalar("/one/int32", 12);
    writer.write_scalar("/one/text", "\xCE\xB1");
    writer.close();

    const FileReader reader{dir / "all.h5"};
    const auto back = reader.read<double>("/a/b/matrix");
    ASSERT_EQ(back, matrix);
    EXPECT_TRUE(std::signbit(back[1]));
    EXPECT_EQ(reader.shape("/a/b/matrix"), (Shape{2, 3}));
    EXPECT_EQ(reader.read<std::int64_t>("/longs"), longs);
    EXPECT_EQ(reader.read<std::int32_t>("/cube"), ints);
    EXPECT_EQ(reader.shape("/cube"), (Shape{2, 2, 2}));
    EXPECT_EQ(reader.read<std::string>("/words"), words);
    EXPECT_EQ(reader.read_scalar<double>("/one/double"), 2.5);
    EXPECT_EQ(reader.read_scalar<std::int64_t>("/one/int64"), std::int64_t{1} << 40);
    EXPECT_EQ(reader.read_scalar<std::int32_t>("/one/int32"), 12);
    EXPECT_EQ(reader.read_scalar<std::string>("/one/text"), "\xCE\xB1");
    EXPECT_EQ(reader.shape("/one/text"), Shape{});
}

TEST(FileWriter, keeps_the_bits_of_a_nan) {
    const TempDir dir;
    FileWriter writer{dir / "nan.h5"};
    writer.write("/x", std::vector{std::numeric_limits<double>::quiet_NaN()});
    writer.close();

    EXPECT_TRUE(std::isnan(FileReader{dir / "nan.h5"}.read<double>("/x").at(0)));
}

TEST(FileWriter, round_trips_empty_arrays) {
    const TempDir dir;
    FileWriter writer{dir / "empty.h5"};
    writer.write("/doubles", std::vector<double>{});
    writer.write("/matrix", std::vector<double>{}, {3, 0}, {}, Compression::deflate);
    writer.write("/longs", std::vector<std::int64_t>{}, {0, 5});
    writer.write("/words", std::vector<std::string>{});
    writer.write_attribute("/", "none", std::vector<std::string>{});
    writer.create_group("/failures");
    writer.create_group("/failures");
    writer.close();

    const FileReader reader{dir / "empty.h5"};
    EXPECT_TRUE(reader.read<double>("/doubles").empty());
    EXPECT_TRUE(reader.read<double>("/matrix").empty());
    EXPECT_EQ(reader.shape("/matrix"), (Shape{3, 0}));
    EXPECT_EQ(reader.shape("/longs"), (Shape{0, 5}));
    EXPECT_TRUE(reader.read<std::string>("/words").empty());
    EXPECT_TRUE(reader.attribute<std::string>("/", "none").empty());
    EXPECT_EQ(reader.node("/failures").kind, NodeKind::group);
}

TEST(FileWriter, round_trips_attributes_of_any_length) {
    const TempDir dir;
    const std::string job(200000, 'j');
    FileWriter writer{dir / "attributes.h5"};
    writer.write("/x", std::vector{1.0});
    writer.write_attribute("/", "job", job);
    writer.write_attribute("/", "empty", "");
    writer.write_attribute("/x", "unit", "mg/L");
    writer.write_attribute("/x", "step", 0.5);
    writer.write_attribute("/x", "count", 3);
    writer.write_attribute("/x", "large", std::int64_t{1} << 50);
    writer.write_attribute("/x", "names", std::vector<std::string>{"a", "b"});
    writer.write_attribute("/x", "bounds", std::vector{1.0, 2.0});
    writer.write_attribute("/x", "ids", std::vector<std::int64_t>{4, 5});
    writer.close();

    const FileReader reader{dir / "attributes.h5"};
    EXPECT_EQ(reader.attribute_scalar<std::string>("/", "job"), job);
    EXPECT_EQ(reader.attribute_scalar<std::string>("/", "empty"), "");
    EXPECT_EQ(reader.attribute_scalar<std::string>("/x", "unit"), "mg/L");
    EXPECT_EQ(reader.attribute_scalar<double>("/x", "step"), 0.5);
    EXPECT_EQ(reader.attribute_scalar<std::int32_t>("/x", "count"), 3);
    EXPECT_EQ(reader.attribute_scalar<std::int64_t>("/x", "large"), std::int64_t{1} << 50);
    EXPECT_EQ(reader.attribute<std::string>("/x", "names"), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(reader.attribute<double>("/x", "bounds"), (std::vector{1.0, 2.0}));
    EXPECT_EQ(reader.attribute<std::int64_t>("/x", "ids"), (std::vector<std::int64_t>{4, 5}));
    EXPECT_TRUE(reader.has_attribute("/x", "unit"));
    EXPECT_FALSE(reader.has_attribute("/x", "units"));
    EXPECT_FALSE(reader.has_attribute("/y", "unit"));
}

TEST(FileWriter, fills_a_dataset_row_by_row_in_any_order) {
    const TempDir dir;
    FileWriter writer{dir / "rows.h5"};
    writer.create("/values", ElementType::float64, {5, 2}, {}, Compression::deflate);
    writer.create("/words", ElementType::text, {3});
    writer.create("/ids", ElementType::int64, {2});
    writer.create("/counts", ElementType::int32, {2});
    writer.write_rows("/values", 3, std::vector{6.0, 7.0, 8.0, 9.0});
    writer.write_rows("/values", 0, std::vector{0.0, 1.0, 2.0, 3.0});
    writer.write_rows("/values", 5, std::vector<double>{});
    writer.write_rows("/words", 1, std::vector<std::string>{"middle"});
    writer.write_rows("/ids", 0, std::vector<std::int64_t>{8, 9});
    writer.write_rows("/counts", 1, std::vector<std::int32_t>{5});
    writer.close();

    const FileReader reader{dir / "rows.h5"};
    EXPECT_EQ(reader.read<double>("/values"), (std::vector<double>{0, 1, 2, 3, 0, 0, 6, 7, 8, 9}));
    EXPECT_EQ(reader.read<std::string>("/words"), (std::vector<std::string>{"", "middle", ""}));
    EXPECT_EQ(reader.read<std::int64_t>("/ids"), (std::vector<std::int64_t>{8, 9}));
    EXPECT_EQ(reader.read<std::int32_t>("/counts"), (std::vector<std::int32_t>{0, 5}));
}

TEST(FileWriter, deflates_what_repeats) {
    const TempDir dir;
    const std::vector<double> values(300000, 1.5);
    for (const Compression compression : {Compression::none, Compression::deflate}) {
        FileWriter writer{dir / (compression == Compression::none ? "plain.h5" : "deflated.h5")};
        writer.write("/values", values, {3, 100000}, {}, compression);
        writer.close();
    }

    EXPECT_EQ(FileReader{dir / "deflated.h5"}.read<double>("/values"), values);
    EXPECT_GT(std::filesystem::file_size(dir / "plain.h5"), 2400000U);
    EXPECT_LT(std::filesystem::file_size(dir / "deflated.h5"), 50000U);
}

TEST(FileWriter, attaches_dimension_scales) {
    const TempDir dir;
    FileWriter writer{dir / "scales.h5"};
    writer.write("/history/update", std::vector<std::int64_t>{1, 2, 3});
    writer.write("/names", std::vector<std::string>{"alpha", "beta"});
    writer.make_scale("/names", "parameter");
    writer.write("/history/values", std::vector<double>(6), {3, 2}, {"/history/update", "/names"});
    writer.create("/history/loss", ElementType::float64, {3}, {"/history/update"});
    writer.write("/history/free", std::vector<double>(6), {2, 3}, {"", "/history/update"});
    writer.close();

    const FileReader reader{dir / "scales.h5"};
    EXPECT_EQ(reader.node("/history/values").axes, (std::vector<std::string>{"update", "parameter"}));
    EXPECT_EQ(reader.node("/history/free").axes, (std::vector<std::string>{"", "update"}));
    const hid_t file = H5Fopen((dir / "scales.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t update = H5Dopen2(file, "/history/update", H5P_DEFAULT);
    const hid_t names = H5Dopen2(file, "/names", H5P_DEFAULT);
    const hid_t values = H5Dopen2(file, "/history/values", H5P_DEFAULT);
    const hid_t loss = H5Dopen2(file, "/history/loss", H5P_DEFAULT);
    EXPECT_EQ(H5DSis_attached(values, update, 0), 1);
    EXPECT_EQ(H5DSis_attached(values, names, 1), 1);
    EXPECT_EQ(H5DSis_attached(values, names, 0), 0);
    EXPECT_EQ(H5DSis_attached(loss, update, 0), 1);
    for (const hid_t object : {update, names, values, loss}) {
        H5Dclose(object);
    }
    H5Fclose(file);
}

TEST(FileWriter, equal_content_gives_equal_bytes) {
    const TempDir dir;
    const auto write_file = [&dir](const char* name) {
        FileWriter writer{dir / name};
        writer.write("/x/words", std::vector<std::string>{"a", "b"});
        writer.write("/x/values", std::vector<double>(1000, 1.0), {500, 2}, {}, Compression::deflate);
        writer.write_attribute("/", "job", "text");
        write_checksum(writer);
        writer.close();
        return bytes_of(dir / name);
    };

    const std::string first = write_file("a.h5");
    ::usleep(1100000); // time stamps, if there were any, count seconds
    EXPECT_TRUE(write_file("b.h5") == first);
}

TEST(FileWriter, keeps_the_old_file_until_close) {
    const TempDir dir;
    put_bytes(dir / "x.h5", "old");
    {
        FileWriter writer{dir / "x.h5"};
        writer.write("/x", std::vector{1.0});
        EXPECT_EQ(bytes_of(dir / "x.h5"), "old");
        EXPECT_EQ(dir.n_files(), 2U);
    }
    EXPECT_EQ(bytes_of(dir / "x.h5"), "old");
    EXPECT_EQ(dir.n_files(), 1U);

    FileWriter writer{dir / "x.h5"};
    writer.write("/x", std::vector{1.0});
    FileWriter moved{std::move(writer)};
    moved.close();
    EXPECT_EQ(FileReader{dir / "x.h5"}.read<double>("/x"), std::vector{1.0});
    EXPECT_EQ(dir.n_files(), 1U);
}

TEST(FileWriter, says_that_a_directory_is_missing) {
    const TempDir dir;
    const std::string message = message_of<StoreError>([&] { FileWriter{dir / "no/x.h5"}; });
    expect_parts(message, {"no/x.h5: cannot be created (No such file or directory)", "create its directory first"});
}

TEST(FileWriter, says_that_the_parent_is_a_file) {
    const TempDir dir;
    put_bytes(dir / "file", "");
    const std::string message = message_of<StoreError>([&] { FileWriter{dir / "file/x.h5"}; });
    expect_parts(message,
                 {"file/x.h5: cannot be created (Not a directory)", "choose a path whose parent is a directory"});
}

TEST(FileWriter, says_that_the_target_is_a_directory) {
    const TempDir dir;
    const std::string message = message_of<StoreError>([&] { FileWriter{dir.path()}; });
    expect_parts(message, {dir.path().string(), "it is a directory"});
}

TEST(FileWriter, refuses_text_that_other_software_could_not_read) {
    const TempDir dir;
    for (const std::string& text : {std::string{"\xFF"}, std::string{"a\0b", 3}}) {
        FileWriter writer{dir / "x.h5"};
        const std::string message = message_of<StoreError>([&] { writer.write("/job/text", std::vector{text}); });
        expect_parts(message, {"x.h5: \"/job/text\":", "not UTF-8 or holds a NUL byte"});
    }
}

TEST(FileWriter, names_the_dataset_that_exists_already) {
    const TempDir dir;
    FileWriter writer{dir / "x.h5"};
    writer.write("/a", std::vector{1.0});
    const std::string message = message_of<StoreError>([&] { writer.write("/a", std::vector{2.0}); });
    expect_parts(message, {"x.h5: \"/a\": cannot be written: H5Dcreate2 failed", "name already exists"});
}

#ifndef RONDO_NO_CONTRACTS
TEST(FileWriter, holds_its_callers_to_the_contract) {
    const TempDir dir;
    const std::vector<double> two{1, 2};
    const auto refuses = [&dir](auto work) {
        FileWriter writer{dir / "x.h5"};
        writer.write("/two", std::vector<double>{1, 2});
        EXPECT_THROW(work(writer), ContractError);
        EXPECT_THROW(writer.close(), ContractError) << "nothing may be put in place after an error";
    };
    refuses([&](FileWriter& writer) { writer.write("/x", two, {3}); });
    refuses([&](FileWriter& writer) { writer.write("x", two); });
    refuses([&](FileWriter& writer) { writer.write("/x/", two); });
    refuses([&](FileWriter& writer) { writer.write("/x", std::vector<double>(3), {3}, {"/two"}); });
    refuses([&](FileWriter& writer) { writer.write("/x", two, {2}, {"/two", "/two"}); });
    refuses([&](FileWriter& writer) {
        writer.write("/group/scale", two);
        writer.write("/other/x", two, {2}, {"/group/scale"});
    });
    refuses([&](FileWriter& writer) { writer.write_rows("/two", 1, two); });
    refuses([&](FileWriter& writer) { writer.write_rows("/two", 0, std::vector<std::int64_t>{1}); });
    EXPECT_EQ(dir.n_files(), 0U);
}
#endif

/// Writes 8 MB where a file may have 1 MB; exits 0 if that is a StoreError and nothing is left behind.
[[noreturn]] void write_beyond_the_limit(const std::filesystem::path& path, std::size_t n_values) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000000, 1000000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int code = 1;
    try {
        FileWriter writer{path};
        const std::vector<double> values(1000, 1.0);
        for (std::size_t i = 0; i < n_values / values.size(); ++i) {
            writer.write("/group/" + std::to_string(i), values);
        }
        writer.close();
    } catch (const StoreError& error) {
        const std::string_view text = error.what();
        code = text.find("File too large") != text.npos && text.find("ulimit -f") != text.npos ? 0 : 2;
    }
    std::exit(std::filesystem::exists(path) ? 3 : code);
}

TEST(FileWriter, survives_a_full_disk) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    for (const std::size_t n_values : {1000000U, 125000U, 124000U, 123000U}) {
        const TempDir dir;
        EXPECT_EXIT(write_beyond_the_limit(dir / "x.h5", n_values), ::testing::ExitedWithCode(0), "") << n_values;
        EXPECT_EQ(dir.n_files(), 0U) << n_values;
    }
}

} // namespace
} // namespace rondo::store
