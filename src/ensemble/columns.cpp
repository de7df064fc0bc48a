#include "columns.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace rondo::ensemble {

std::string place(const store::Table& table, std::size_t row) {
    return fmt::format("{}:{}", table.file, table.lines[row]);
}

void refuse_unknown_columns(const store::Table& table, std::span<const std::string> known) {
    for (const std::string& column : table.columns) {
        if (std::ranges::find(known, column) == known.end()) {
            throw InputError{
                fmt::format("{}: column \"{}\" is unknown{}", table.file, column, known_words_hint(column, known))};
        }
    }
}

TrajectoryColumn::TrajectoryColumn(const store::Table& table, Labels& labels, NewLabels new_labels)
    : table_{table}, labels_{labels}, new_labels_{new_labels}, column_{table.find("trajectory")} {
    if (column_) {
        return;
    }
    if (new_labels == NewLabels::allow) {
        last_ = labels.add("1");
    } else if (labels.size() != 1) {
        throw InputError{
            fmt::format("{}: no column \"trajectory\" (it may be missing only where there is one trajectory; "
                        "there are {}); add it",
                        table.file, labels.size())};
    }
}

std::int64_t TrajectoryColumn::number(std::size_t row) {
    if (!column_) {
        return last_;
    }
    const std::string& label = table_.cell(row, *column_);
    if (row > 0 && labels_.size() > 0 && label == labels_.names()[static_cast<std::size_t>(last_)]) {
        return last_;
    }
    if (label.empty()) {
        throw InputError{
            fmt::format("{}: the column trajectory is empty; give each row its trajectory", place(table_, row))};
    }
    if (new_labels_ == NewLabels::allow) {
        last_ = labels_.add(label);
    } else if (const auto known = labels_.find(label)) {
        last_ = *known;
    } else {
        throw InputError{fmt::format("{}: trajectory \"{}\" is unknown{}", place(table_, row), label,
                                     known_words_hint(label, labels_.names()))};
    }
    return last_;
}

} // namespace rondo::ensemble
