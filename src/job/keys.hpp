#pragma once

#include <rondo/job/keys.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace rondo::job {

/// The numbers a key may have; an infinite end is no end.
struct Range {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    bool lower_open = false; ///< lower itself is not allowed
    bool upper_open = false;

    [[nodiscard]] bool holds(double value) const;
    /// ` above 0 and below 1`, with a leading blank; empty where every number is allowed.
    [[nodiscard]] std::string text() const;
};

[[nodiscard]] Range any_number();
[[nodiscard]] Range at_least(double lower);
[[nodiscard]] Range above(double lower);
[[nodiscard]] Range from_to(double lower, double upper);
[[nodiscard]] Range from_below(double lower, double upper);
[[nodiscard]] Range between(double lower, double upper); ///< both ends excluded

/// What a key holds. `several` has more than one form and is read by its own function.
enum class Kind : std::uint8_t { number, whole, flag, text, path, word, names, table, several };

/// One declared key: the only place where its name, type, default, range and meaning stand.
struct Key {
    std::string name;
    Kind kind = Kind::several;
    std::variant<std::monostate, double, std::int64_t, bool, std::string> fallback;
    std::string fallback_text; ///< for people, where it is not the value itself
    bool required = false;
    Range range;
    std::vector<std::string> words;
    std::string wanted; ///< of `several`: its forms
    std::string sentence;
};

[[nodiscard]] Key number(std::string name, double fallback, Range range, std::string sentence);
[[nodiscard]] Key number_if(std::string name, Range range, std::string sentence); ///< no default: absent means absent
[[nodiscard]] Key whole(std::string name, std::int64_t fallback, Range range, std::string sentence);
[[nodiscard]] Key flag(std::string name, bool fallback, std::string sentence);
[[nodiscard]] Key text(std::string name, std::string sentence);
[[nodiscard]] Key path(std::string name, std::string sentence);
[[nodiscard]] Key word(std::string name, std::string fallback, std::vector<std::string> words, std::string sentence);
[[nodiscard]] Key names(std::string name, std::string sentence);
[[nodiscard]] Key table(std::string name, std::string sentence);
[[nodiscard]] Key several(std::string name, std::string wanted, std::string sentence);
/// The same key without a default.
[[nodiscard]] Key required(Key key);
/// The same key with words for its default, such as "all" for 0.
[[nodiscard]] Key shown_as(Key key, std::string fallback_text);

/// What is wanted of a value of this key: "a number above 0 and below 1".
[[nodiscard]] std::string wanted(const Key& key);
/// The default as text; empty where there is none.
[[nodiscard]] std::string fallback_text(const Key& key);

/// The keys of one table. A key whose name is in angle brackets stands for names that users choose.
struct TableKeys {
    std::string table;
    std::vector<Key> keys;
};

[[nodiscard]] const TableKeys& top_keys();
[[nodiscard]] const TableKeys& model_keys();
[[nodiscard]] const TableKeys& event_keys();
[[nodiscard]] const TableKeys& data_keys();
[[nodiscard]] const TableKeys& ensemble_keys();
[[nodiscard]] const TableKeys& times_keys();
[[nodiscard]] const TableKeys& parameter_keys();
[[nodiscard]] const TableKeys& loss_keys();
[[nodiscard]] const TableKeys& solver_keys();
[[nodiscard]] const TableKeys& train_keys();
[[nodiscard]] const TableKeys& learning_rate_keys();
[[nodiscard]] const TableKeys& early_stopping_keys();
[[nodiscard]] const TableKeys& parallel_keys();
[[nodiscard]] const TableKeys& checkpoint_keys();
[[nodiscard]] const TableKeys& output_keys();
/// Tables whose keys are names that users choose: `model.rates` and its like.
[[nodiscard]] const std::vector<TableKeys>& free_tables();

} // namespace rondo::job
