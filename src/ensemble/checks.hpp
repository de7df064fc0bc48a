#pragma once

#include "rows.hpp"

#include <rondo/ensemble/build.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::ensemble {

/// `number_text`, without the sign that a NaN may carry.
[[nodiscard]] std::string plain_text(double value);

/// What is wrong with an observed value, for the end of a message; empty if it will do. NaN (no point) will do.
[[nodiscard]] std::string value_fault(const Source& source, std::string_view column, double value, double sigma);

/// What is wrong with a time, for the end of a message; empty if it will do.
[[nodiscard]] std::string time_fault(const Source& source, double time);

/// Throw InputError `where: fault` unless `fault` is empty.
void refuse(const std::string& where, const std::string& fault);

/// @throws InputError  names the first few of `without`, unless there is none
void refuse_without_data(const Source& source, const std::vector<std::string>& without);

/// Check time, value and sigma of a point.
///
/// @param where  gives the place in the file; called only for an error
/// @throws InputError  one of them will not do
template <class Where>
void check_point(const Source& source, const Point& point, Where&& where) {
    for (const std::string& fault : {time_fault(source, point.time),
                                     value_fault(source, source.columns[point.column], point.value, point.sigma)}) {
        if (!fault.empty()) {
            refuse(where(), fault);
        }
    }
}

/// @throws InputError  names trajectories of the trajectories table for which `has_data(i)` is false
template <class HasData>
void check_all_have_data(const Source& source, const std::vector<std::string>& labels, HasData&& has_data) {
    std::vector<std::string> without;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (!has_data(i)) {
            without.push_back(labels[i]);
        }
    }
    refuse_without_data(source, without);
}

/// @throws InputError  names trajectories without any observed value
void check_all_observed(const Source& source, const Ensemble& ensemble);

} // namespace rondo::ensemble
