#include "readers.hpp"

#include "value_text.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <cmath>

namespace rondo::job {
namespace {

constexpr double most_times = 1e8;

} // namespace

const TableKeys& times_keys() {
    static const TableKeys keys{
        "ensemble.times",
        {
            required(number("start", 0, any_number(), "The first time.")),
            required(number("stop", 0, any_number(), "The last time; with step, where the grid does not go beyond.")),
            number_if("step", above(0), "Distance of the times: start, start + step, ..."),
            shown_as(whole("count", 0, from_to(2, most_times), "Number of times, instead of step."), "none"),
            word("spacing", "linear", {"linear", "log"}, "With count: equal distances, or equal ratios."),
        }};
    return keys;
}

namespace {

std::vector<double> listed_times(TableReader& ensemble, const toml::array& list) {
    const std::string about = ensemble.subject("times");
    if (list.empty()) {
        throw InputError{fmt::format("{} is empty (at least one time is wanted)", about)};
    }
    std::vector<double> times;
    for (const toml::node& item : list) {
        const std::optional<double> time = finite_number(item);
        if (!time) {
            throw InputError{fmt::format("{}: {} is {} (a list of increasing finite numbers is wanted)", about,
                                         shown(item), item.is_number() ? "not finite" : kind_text(item))};
        }
        if (!times.empty() && *time <= times.back()) {
            throw InputError{
                fmt::format("{}: {} comes after {} (times increase strictly); sort them and leave out doubles", about,
                            number_text(*time), number_text(times.back()))};
        }
        times.push_back(*time);
    }
    ensemble.context().record("ensemble", "times", value_text(list));
    return times;
}

/// start + i step, up to stop; stop itself is met where it is within rounding of the grid.
std::vector<double> stepped(TableReader& reader, double start, double stop, double step) {
    constexpr double rounding = 1e-9;
    const double steps = std::floor((stop - start) / step + rounding);
    if (!(steps + 1 <= most_times)) {
        throw InputError{fmt::format("{} = {} makes more than {} times between {} and {}; take a longer step",
                                     reader.subject("step"), number_text(step), most_times, number_text(start),
                                     number_text(stop))};
    }
    std::vector<double> times;
    for (double i = 0; i <= steps; ++i) {
        times.push_back(start + i * step);
    }
    return times;
}

std::vector<double> counted(double start, double stop, std::int64_t count, bool is_log) {
    std::vector<double> times;
    const auto last = static_cast<double>(count - 1);
    for (std::int64_t i = 0; i < count; ++i) {
        const double part = static_cast<double>(i) / last;
        times.push_back(is_log ? start * std::pow(stop / start, part) : start + (stop - start) * part);
    }
    times.back() = stop;
    return times;
}

void check_increasing(TableReader& reader, const std::vector<double>& times) {
    for (std::size_t i = 1; i < times.size(); ++i) {
        if (!(times[i] > times[i - 1])) {
            throw InputError{
                fmt::format("{} makes times that do not increase (number {} is {}, number {} is {}: they are too "
                            "close for double precision); take fewer",
                            reader.table_subject(), i, number_text(times[i - 1]), i + 1, number_text(times[i]))};
        }
    }
}

std::vector<double> grid(TableReader& reader) {
    const double start = reader.number("start");
    const double stop = reader.number("stop");
    if (!(stop > start)) {
        throw InputError{fmt::format("{} = {} is not after start = {} (times increase)", reader.subject("stop"),
                                     number_text(stop), number_text(start))};
    }
    if (reader.has("step") == reader.has("count")) {
        throw InputError{fmt::format("{} has {} step and count (each says how many times there are); give one of them",
                                     reader.table_subject(), reader.has("step") ? "both" : "neither")};
    }
    const std::optional<double> step = reader.number_if("step");
    const std::int64_t count = reader.whole("count");
    if (step) {
        reader.refuse("spacing", "with step the distances are equal", "give count instead of step");
    }
    const bool is_log = reader.word("spacing") == "log";
    if (is_log && !(start > 0)) {
        throw InputError{fmt::format("{} = {} is out of range (with spacing = \"log\" a number above 0 is wanted)",
                                     reader.subject("start"), number_text(start))};
    }
    std::vector<double> times = step ? stepped(reader, start, stop, *step) : counted(start, stop, count, is_log);
    check_increasing(reader, times);
    reader.finish();
    return times;
}

} // namespace

std::vector<double> read_times(TableReader& ensemble) {
    ensemble.require("times");
    const toml::node* node = ensemble.node("times");
    if (const toml::array* list = node->as_array()) {
        return listed_times(ensemble, *list);
    }
    if (!node->is_table()) {
        ensemble.wrong_type("times");
    }
    TableReader reader{ensemble.context(), times_keys(), node};
    return grid(reader);
}

} // namespace rondo::job
