#pragma once

#include "labels.hpp"

#include <rondo/store/csv.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace rondo::ensemble {

/// `file:line` of a row, for errors.
[[nodiscard]] std::string place(const store::Table& table, std::size_t row);

/// @throws InputError  a column is not one of `known`; names the nearest
void refuse_unknown_columns(const store::Table& table, std::span<const std::string> known);

enum class NewLabels : bool { refuse, allow };

/// Numbers of trajectories by the column `trajectory` of a table. Without this column every row belongs to the only
/// one.
class TrajectoryColumn {
public:
    /// @throws InputError  there is no such column, but more than one trajectory
    TrajectoryColumn(const store::Table& table, Labels& labels, NewLabels new_labels);

    /// @throws InputError  the cell is empty, or its label is new where this is not allowed
    [[nodiscard]] std::int64_t number(std::size_t row);

private:
    const store::Table& table_;
    Labels& labels_;
    NewLabels new_labels_;
    std::optional<std::size_t> column_;
    std::int64_t last_ = 0; ///< of the row before: rows of one trajectory mostly stand together
};

} // namespace rondo::ensemble
