#include "store_support.hpp"

#include <rondo/base/error.hpp>
#include <rondo/store/csv.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace rondo::store {
namespace {

Table read(std::string_view text, const CsvLimits& limits = {}) {
    const TempDir dir;
    put_bytes(dir / "data.csv", text);
    return read_csv(dir / "data.csv", limits);
}

using Words = std::vector<std::string>;

struct Case {
    const char* about;
    std::string text;
    Words columns;
    Words cells;
    std::vector<std::int64_t> lines;
};

TEST(ReadCsv, reads_odd_but_good_tables) {
    const std::vector<Case> cases{
        {"plain", "a,b\n1,2\n3,4\n", {"a", "b"}, {"1", "2", "3", "4"}, {2, 3}},
        {"no line end at the end", "a,b\n1,2", {"a", "b"}, {"1", "2"}, {2}},
        {"CRLF", "a,b\r\n1,2\r\n\r\n3,4\r\n", {"a", "b"}, {"1", "2", "3", "4"}, {2, 4}},
        {"CR alone", "a,b\r1,2\r3,4\r", {"a", "b"}, {"1", "2", "3", "4"}, {2, 3}},
        {"byte order mark",
         "\xEF\xBB\xBF"
         "a,b\n1,2\n",
         {"a", "b"},
         {"1", "2"},
         {2}},
        {"comments and empty lines",
         "# made by x\n\n  \na,b\n# c,d,e\n1,2\n   # more\n3,4\n",
         {"a", "b"},
         {"1", "2", "3", "4"},
         {6, 8}},
        {"blanks", " a , b\t\n 1 ,\t2 \n", {"a", "b"}, {"1", "2"}, {2}},
        {"quotes", "\"a\",\"b,c\"\n\"x \"\"y\"\"\", \"2\" \n", {"a", "b,c"}, {"x \"y\"", "2"}, {2}},
        {"line ends in quotes", "a,b\n\"x\ny\r\nz\",1\n2,3\n", {"a", "b"}, {"x\ny\r\nz", "1", "2", "3"}, {2, 5}},
        {"empty cells", "a,b\n,\n\"\",2\n", {"a", "b"}, {"", "", "", "2"}, {2, 3}},
        {"empty last cell", "a,b\n1,", {"a", "b"}, {"1", ""}, {2}},
        {"tab", "a\tb\n1\t\n\t2\n", {"a", "b"}, {"1", "", "", "2"}, {2, 3}},
        {"semicolon", "a;b\n1,5;2\n", {"a", "b"}, {"1,5", "2"}, {2}},
        {"comma wins over semicolon", "a;b,c\n1;2,3\n", {"a;b", "c"}, {"1;2", "3"}, {2}},
        {"separators in a quoted name do not count", "\"a,x\";b\n1;2\n", {"a,x", "b"}, {"1", "2"}, {2}},
        {"a sign in a quoted cell is no comment", "a,b\n\"#1\",2\n", {"a", "b"}, {"#1", "2"}, {2}},
        {"one column", "a\n1\n\n2\n\"\"\n", {"a"}, {"1", "2", ""}, {2, 4, 5}},
        {"a header alone", "a,b\n", {"a", "b"}, {}, {}},
        {"UTF-8", "\xCE\xB1,b\nSch\xC3\xB6n,\xE2\x82\xAC\n", {"\xCE\xB1", "b"}, {"Sch\xC3\xB6n", "\xE2\x82\xAC"}, {2}},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.about);
        const Table table = read(one.text);
        EXPECT_EQ(table.columns, one.columns);
        EXPECT_EQ(table.cells, one.cells);
        EXPECT_EQ(table.lines, one.lines);
    }
}

struct BadCase {
    std::string text;
    std::vector<std::string_view> parts;
};

TEST(ReadCsv, says_what_is_wrong_and_where) {
    using namespace std::string_literals;
    const std::vector<BadCase> cases{
        {"a,b\n1,2\n1,2,3\n", {"data.csv:3: the row has 3 cells but the header names 2 columns (a, b)"}},
        {"a,b\n1\n", {"data.csv:2: the row has 1 cells"}},
        {"a,b,a\n", {"data.csv:1: two columns are called \"a\""}},
        {"# x\na,,b\n", {"data.csv:2: column 2 has no name"}},
        {"a,b,\n1,2,\n", {"data.csv:1: column 3 has no name"}},
        {"0.5,1\n1,2\n", {"data.csv:1: the first line holds numbers"}},
        {"", {"data.csv: is empty"}},
        {"\n# only\n", {"data.csv: is empty"}},
        {"a,b\n\"1,2\n3,4\n", {"data.csv:2: a quote is never closed"}},
        {"a,b\n1,\"2\"x\n", {"data.csv:2: text follows a closing quote"}},
        {"a,b\n1,2\"\n", {"data.csv:2: a quote stands in the middle of a cell"}},
        {"a,b\n1,2\n1,\0\n"s, {"data.csv:3: is not UTF-8 text (a NUL byte"}},
        {"a,b\n1,\xE9t\xE9\n", {"data.csv:2: is not UTF-8 text", "Latin-1"}},
        {"\xFF\xFE"
         "a\0,\0"s,
         {"data.csv: is UTF-16 text"}},
        {"\x89HDF\r\n\x1a\n", {"data.csv: is an HDF5 file"}},
        {"\x1f\x8b\x08", {"data.csv: is compressed with gzip"}},
    };
    for (const BadCase& one : cases) {
        SCOPED_TRACE(one.text);
        const std::string message = message_of<InputError>([&] { static_cast<void>(read(one.text)); });
        for (const std::string_view part : one.parts) {
            expect_parts(message, {part});
        }
    }
}

TEST(ReadCsv, holds_its_limits) {
    expect_parts(
        message_of<InputError>([] { static_cast<void>(read("a,b\n1,2\n", {.max_bytes = 7, .max_cells = 100})); }),
        {"data.csv: has more than the 7 bytes"});
    expect_parts(
        message_of<InputError>([] { static_cast<void>(read("a,b\n1,2\n3,4\n", {.max_bytes = 100, .max_cells = 3})); }),
        {"data.csv:3: the table has more than 3 cells"});
}

TEST(ReadCsv, names_the_nearest_file) {
    const TempDir dir;
    put_bytes(dir / "hudson_bay.csv", "a\n");
    expect_parts(message_of<InputError>([&] { static_cast<void>(read_csv(dir / "hudson_bay.cvs")); }),
                 {"hudson_bay.cvs: does not exist; did you mean", "hudson_bay.csv\"?"});
}

TEST(ReadCsv, any_cut_or_flip_of_a_table_is_read_or_refused) {
    const TempDir dir;
    const auto read_or_refuse = [&dir](std::string_view text) {
        put_bytes(dir / "data.csv", text);
        try {
            const Table table = read_csv(dir / "data.csv");
            EXPECT_EQ(table.cells.size(), table.n_rows() * table.columns.size());
        } catch (const InputError& error) {
            EXPECT_NE(std::string_view{error.what()}.find("data.csv"), std::string_view::npos);
        }
    };
    const std::string good = "# c\ntime,\"na\"\"me\",value\r\n0,\"x\ny\",1.5\n1,\xCE\xB1,\n";
    for (std::size_t at = 0; at < good.size(); ++at) {
        read_or_refuse(std::string_view{good}.substr(0, at));
        for (int bit = 0; bit < 8; ++bit) {
            std::string text = good;
            text[at] = static_cast<char>(text[at] ^ (1 << bit));
            read_or_refuse(text);
        }
    }
}

TEST(Table, finds_columns_by_name) {
    const Table table = read("time,value\n0,1\n");
    EXPECT_EQ(table.find("value"), 1U);
    EXPECT_EQ(table.find("Value"), std::nullopt);
    EXPECT_EQ(table.require("time"), 0U);
    expect_parts(message_of<InputError>([&] { static_cast<void>(table.require("tme")); }),
                 {"data.csv: column \"tme\" is missing (known: time, value); did you mean \"time\"?"});
}

TEST(Table, reads_numbers_exactly) {
    const Table table = read("a,b\n0.1, -1e-300\n+2,3.\n");
    EXPECT_EQ(table.number(0, 0), 0.1);
    EXPECT_EQ(table.number(0, 1), -1e-300);
    EXPECT_EQ(table.number(1, 0), 2.0);
    EXPECT_EQ(table.number(1, 1), 3.0);
}

TEST(Table, knows_the_marks_of_a_missing_value) {
    const Table table = read("a,b\n,NA\nNaN,nan\n.,1\n");
    for (const auto& [row, column] : {std::pair{0U, 0U}, {0U, 1U}, {1U, 0U}, {1U, 1U}, {2U, 0U}}) {
        EXPECT_TRUE(std::isnan(table.number_or_nan(row, column)));
        EXPECT_THROW(static_cast<void>(table.number(row, column)), InputError);
    }
    EXPECT_EQ(table.number_or_nan(2, 1), 1.0);
}

TEST(Table, names_the_cell_that_is_no_number) {
    const Table table = read("a;b\n1;2\n# c\nx;1,5\ninf;1e999\n");
    expect_parts(message_of<InputError>([&] { static_cast<void>(table.number(1, 0)); }),
                 {"data.csv:4: column \"a\": \"x\" is not a finite number"});
    expect_parts(message_of<InputError>([&] { static_cast<void>(table.number_or_nan(1, 1)); }),
                 {"\"1,5\" is not a finite number; write the decimal sign as a point"});
    EXPECT_THROW(static_cast<void>(table.number(2, 0)), InputError);
    EXPECT_THROW(static_cast<void>(table.number_or_nan(2, 1)), InputError);
}

TEST(WriteCsv, reads_back_as_the_same_cells) {
    const TempDir dir;
    const Words columns{"name", "a,b", "say \"x\"", "#"};
    const Words cells{"#first", "", "x\ny", ";", "\"", "\t.", "1.5", "\xCE\xB1", "", "", "", ""};
    write_csv(dir / "t.csv", columns, cells);

    const Table table = read_csv(dir / "t.csv");
    EXPECT_EQ(table.columns, columns);
    EXPECT_EQ(table.cells, (Words{"#first", "", "x\ny", ";", "\"", ".", "1.5", "\xCE\xB1", "", "", "", ""}));
    EXPECT_EQ(dir.n_files(), 1U);
}

TEST(WriteCsv, keeps_empty_cells_and_odd_names_of_a_single_column) {
    const TempDir dir;
    for (const char* name : {"a", "a;b", "a\tb", "#a"}) {
        write_csv(dir / "t.csv", Words{name}, Words{"1", "", "x;y"});
        const Table table = read_csv(dir / "t.csv");
        EXPECT_EQ(table.columns, Words{name});
        EXPECT_EQ(table.cells, (Words{"1", "", "x;y"}));
    }
}

TEST(WriteCsv, says_why_it_cannot_write) {
    const TempDir dir;
    expect_parts(message_of<StoreError>([&] { write_csv(dir / "no/t.csv", Words{"a"}, {}); }),
                 {"no/t.csv: cannot be created"});
}

TEST(ReadCsv, reads_the_public_data_sets) {
    const std::filesystem::path file = std::filesystem::path{RONDO_SHARED_DATA} / "real/lynx_hare/hudson_lynx_hare.csv";
    if (!std::filesystem::exists(file)) {
        GTEST_SKIP() << "the folder of public data sets is absent";
    }
    const Table table = read_csv(file);
    EXPECT_EQ(table.n_rows(), 21U);
    EXPECT_EQ(table.number(0, table.require("hare")), 30.0);
    EXPECT_EQ(table.number(0, table.require("lynx")), 4.0);
}

} // namespace
} // namespace rondo::store
