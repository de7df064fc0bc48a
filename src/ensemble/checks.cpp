#include "checks.hpp"

#include "labels.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rondo::ensemble {

std::string plain_text(double value) { return std::isnan(value) ? "nan" : number_text(value); }

std::string value_fault(const Source& source, std::string_view column, double value, double sigma) {
    if (std::isnan(value)) {
        return {};
    }
    const auto shown = [&] { return fmt::format("{} = {}", column, number_text(value)); };
    if (!std::isfinite(value)) {
        return shown() + " is not finite; correct it, or leave it empty where nothing was observed";
    }
    if (source.needs_positive && value <= 0) {
        return shown() + " is not positive (the loss takes the data's logarithm); correct it, leave it empty, or "
                         "choose another loss";
    }
    if (source.n_classes > 0 &&
        (value < 0 || value >= static_cast<double>(source.n_classes) || value != std::floor(value))) {
        return shown() +
               fmt::format(" is not a class label (whole numbers from 0 to {}); correct it", source.n_classes - 1);
    }
    if (source.needs_sigma && std::isnan(sigma)) {
        return shown() +
               " has no sigma (the loss takes it from the data); give one > 0, or let [loss] sigma be an expression";
    }
    if (source.needs_sigma && !(sigma > 0 && std::isfinite(sigma))) {
        return shown() + fmt::format(" has sigma = {} (allowed: > 0 and finite); correct it", number_text(sigma));
    }
    return {};
}

std::string time_fault(const Source& source, double time) {
    if (!std::isfinite(time)) {
        return fmt::format("time = {} is not a number; correct it", plain_text(time));
    }
    if (time < source.initial_time) {
        return fmt::format("time = {} is before the initial time {}; correct it, or lower model.initial_time",
                           number_text(time), number_text(source.initial_time));
    }
    return {};
}

void refuse(const std::string& where, const std::string& fault) {
    if (!fault.empty()) {
        throw InputError{where + ": " + fault};
    }
}

void refuse_without_data(const Source& source, const std::vector<std::string>& without) {
    if (!without.empty()) {
        throw InputError{fmt::format("{}: no data for trajectory {} of {}; add data or leave it out of the table",
                                     source.data_file.string(), first_few(without), source.trajectories_file.string())};
    }
}

void check_all_observed(const Source& source, const Ensemble& ensemble) {
    std::vector<std::string> empty;
    for (std::int64_t i = 0; i < ensemble.size(); ++i) {
        if (std::ranges::all_of(ensemble.trajectory(i).values, [](double value) { return std::isnan(value); })) {
            empty.push_back(ensemble.labels[static_cast<std::size_t>(i)]);
        }
    }
    if (!empty.empty()) {
        throw InputError{
            fmt::format("{}: no observed value of trajectory {} (nothing to fit); give data or leave it out",
                        source.data_file.string(), first_few(empty))};
    }
}

} // namespace rondo::ensemble
