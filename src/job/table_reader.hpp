#pragma once

#include "keys.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <toml++/toml.h>

namespace rondo::job {

/// What every reader needs beside its table, and what all of them fill.
struct Context {
    std::string file;                            ///< as errors name it
    std::filesystem::path directory;             ///< relative paths of the file start here
    std::map<std::string, std::string> settings; ///< "table.key" -> effective value
    std::map<std::string, std::string> places;   ///< "table.key" -> "job.toml:12"

    void record(const std::string& table, const std::string& key, std::string value);
};

/// Reads one table by its declared keys: checks type, range and words, puts in defaults, records what holds.
///
/// The constructor refuses keys that are not declared; `finish` holds that the reading function asked for every key
/// that is. An absent table reads as an empty one.
/// @throws InputError  from every reading function: place, table, key, value and what is wanted
class TableReader {
public:
    /// @param path  name of the table where it is not that of the declaration: `parameters.alpha`
    TableReader(Context& context, const TableKeys& keys, const toml::node* node, std::string path = {});

    [[nodiscard]] bool has(const std::string& key) const;
    [[nodiscard]] double number(const std::string& key);
    [[nodiscard]] std::optional<double> number_if(const std::string& key);
    [[nodiscard]] std::int64_t whole(const std::string& key);
    [[nodiscard]] bool flag(const std::string& key);
    [[nodiscard]] std::string text(const std::string& key);
    [[nodiscard]] std::string word(const std::string& key);
    [[nodiscard]] std::vector<std::string> names(const std::string& key);
    /// Empty where absent; relative paths are put behind the file's directory.
    [[nodiscard]] std::filesystem::path path(const std::string& key);
    /// The value of a table or of a key with several forms; null where absent. Records nothing but the place.
    [[nodiscard]] const toml::node* node(const std::string& key);

    /// Refuse the key if it is there, because it has no effect; `because` is a clause, `instead` says what to do.
    void refuse(const std::string& key, const std::string& because, const std::string& instead) const;
    /// The value is of no type that is wanted.
    [[noreturn]] void wrong_type(const std::string& key) const;
    /// The key has to be there. `extra` may say what would do instead.
    void require(const std::string& key, const std::string& extra = {}) const;

    /// `job.toml:12: [solver] rtol`.
    [[nodiscard]] std::string subject(const std::string& key) const;
    /// `job.toml:12: [solver]`, with the line of the key, or of the table where there is no such key.
    [[nodiscard]] std::string table_subject(const std::string& key = {}) const;
    [[nodiscard]] const std::string& name() const { return path_; }
    [[nodiscard]] Context& context() const { return *context_; }

    void finish() const;

private:
    void refuse_unknown() const;
    const Key& declared(const std::string& key, Kind kind);
    [[nodiscard]] const toml::node* find(const std::string& key) const;
    [[nodiscard]] const Key* declaration(const std::string& key) const;
    const toml::node* take(const Key& key);
    void record(const Key& key, std::string value);

    Context* context_;
    const TableKeys* keys_;
    const toml::table* table_ = nullptr;
    std::string path_;
    std::set<std::string> asked_;
};

/// The number of a node, a whole one too; nothing where it is no number or not finite.
[[nodiscard]] std::optional<double> finite_number(const toml::node& node);

/// An expression: a string as it is, a number as text; nothing for anything else, or where the string is blank.
[[nodiscard]] std::optional<std::string> expression_text(const toml::node& node);

/// `path` behind `directory` where it is relative.
[[nodiscard]] std::filesystem::path resolved(const std::filesystem::path& directory, const std::string& path);

} // namespace rondo::job
