#include "data_set.hpp"

#include "checks.hpp"
#include "reorder.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/store/file_kind.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace rondo::ensemble {
namespace {

std::vector<std::string> read_ids(const store::FileReader& file) {
    const std::string path = "/trajectories/id";
    std::vector<std::string> ids;
    if (file.node(path).type == "text") {
        ids = file.read<std::string>(path);
    } else { // of other software
        for (const std::int64_t number : file.read<std::int64_t>(path)) {
            ids.push_back(std::to_string(number));
        }
    }
    Labels labels;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i].empty() || labels.find(ids[i])) {
            throw InputError{fmt::format("{}: {}[{}] = \"{}\" {}; give each trajectory its own id",
                                         file.path().string(), path, i, ids[i],
                                         ids[i].empty() ? "is empty" : "stands there twice")};
        }
        labels.add(ids[i]);
    }
    if (ids.empty()) {
        throw InputError{fmt::format("{}: {} is empty (nothing to fit); add data", file.path().string(), path)};
    }
    return ids;
}

void read_covariates(const store::FileReader& file, Ensemble& ensemble) {
    const std::size_t n = ensemble.labels.size();
    ensemble.covariate_names = data_set_covariates(file);
    const std::size_t n_covariates = ensemble.covariate_names.size();
    ensemble.covariates.resize(n * n_covariates);
    for (std::size_t c = 0; c < n_covariates; ++c) {
        const std::string path = "/trajectories/" + ensemble.covariate_names[c];
        check_shape(file, path, {n});
        const auto column = file.read<double>(path);
        for (std::size_t i = 0; i < n; ++i) {
            if (!std::isfinite(column[i])) {
                throw InputError{
                    fmt::format("{}: {}[{}] = {} is not finite (a covariate needs a number for each trajectory); "
                                "correct it",
                                file.path().string(), path, i, plain_text(column[i]))};
            }
            ensemble.covariates[i * n_covariates + c] = column[i];
        }
    }
}

/// For each wanted column its number in the file, if it is there.
std::vector<std::optional<std::size_t>> places_of_columns(const Source& source,
                                                          const std::vector<std::string>& in_file) {
    const std::string where = source.data_file.string() + ": /data/observables";
    std::vector<std::optional<std::size_t>> places(source.columns.size());
    for (std::size_t k = 0; k < in_file.size(); ++k) {
        const auto found = std::ranges::find(source.columns, in_file[k]);
        if (found == source.columns.end()) {
            throw InputError{fmt::format("{}: observable \"{}\" is unknown{}", where, in_file[k],
                                         known_words_hint(in_file[k], source.columns))};
        }
        auto& place = places[static_cast<std::size_t>(found - source.columns.begin())];
        if (place) {
            throw InputError{fmt::format("{}: observable \"{}\" stands there twice; write it once", where, in_file[k])};
        }
        place = k;
    }
    return places;
}

/// [R x D] in the order of the wanted columns; NaN where the file has none.
std::vector<double> read_columns(const store::FileReader& file, const std::string& path, std::size_t n_rows,
                                 std::size_t n_in_file, const std::vector<std::optional<std::size_t>>& places) {
    check_shape(file, path, {n_rows, n_in_file});
    const auto all = file.read<double>(path);
    std::vector<double> wanted(n_rows * places.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t row = 0; row < n_rows; ++row) {
        for (std::size_t d = 0; d < places.size(); ++d) {
            if (places[d]) {
                wanted[row * places.size() + d] = all[row * n_in_file + *places[d]];
            }
        }
    }
    return wanted;
}

void read_rows(const Source& source, const store::FileReader& file, Ensemble& ensemble) {
    const auto observables = file.read<std::string>("/data/observables");
    const auto places = places_of_columns(source, observables);
    ensemble.columns = source.columns;
    ensemble.time = file.read<double>("/data/time");
    ensemble.offset = file.read<std::int64_t>("/data/offset");
    check_offset(file, "/data/offset", ensemble.offset, ensemble.labels.size(), ensemble.time.size());
    ensemble.value = read_columns(file, "/data/value", ensemble.time.size(), observables.size(), places);
    if (file.exists("/data/sigma")) {
        ensemble.sigma = read_columns(file, "/data/sigma", ensemble.time.size(), observables.size(), places);
    }
}

void check_rows(const Source& source, const Ensemble& ensemble) {
    const std::string path = source.data_file.string() + ": /data";
    for (std::size_t i = 0; i < ensemble.labels.size(); ++i) {
        const auto first = static_cast<std::size_t>(ensemble.offset[i]),
                   last = static_cast<std::size_t>(ensemble.offset[i + 1]);
        for (std::size_t row = first; row < last; ++row) {
            const auto where = [&] {
                return fmt::format("{}, row {} (trajectory \"{}\")", path, row, ensemble.labels[i]);
            };
            if (row > first && ensemble.time[row] < ensemble.time[row - 1]) {
                refuse(where(),
                       fmt::format("time = {} is less than that of the row before; sort each trajectory's rows by time",
                                   number_text(ensemble.time[row])));
            }
            for (std::size_t d = 0; d < ensemble.n_columns(); ++d) {
                const std::size_t at = row * ensemble.n_columns() + d;
                const double sigma =
                    ensemble.sigma.empty() ? std::numeric_limits<double>::quiet_NaN() : ensemble.sigma[at];
                check_point(source, {static_cast<std::int64_t>(i), ensemble.time[row], d, ensemble.value[at], sigma},
                            where);
            }
        }
    }
}

/// Number in the file of each trajectory of the table.
std::vector<std::int64_t> order_of(const Source& source, const Labels& wanted,
                                   const std::vector<std::string>& in_file) {
    const std::string where = source.data_file.string();
    std::vector<std::int64_t> order(wanted.size(), -1);
    for (std::size_t k = 0; k < in_file.size(); ++k) {
        const auto number = wanted.find(in_file[k]);
        if (!number) {
            throw InputError{fmt::format("{}: trajectory \"{}\" is unknown in {}{}", where, in_file[k],
                                         source.trajectories_file.string(),
                                         known_words_hint(in_file[k], wanted.names()))};
        }
        order[static_cast<std::size_t>(*number)] = static_cast<std::int64_t>(k);
    }
    check_all_have_data(source, wanted.names(), [&](std::size_t i) { return order[i] >= 0; });
    return order;
}

} // namespace

bool is_data_set(const std::filesystem::path& path) {
    const std::string extension = path.extension().string();
    if (extension == ".h5" || extension == ".hdf5") {
        return true;
    }
    constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    std::array<char, 8> head{};
    std::ifstream{path, std::ios::binary}.read(head.data(), head.size());
    return head == signature;
}

store::FileReader open_data_set(const std::filesystem::path& path) {
    store::FileReader file{path};
    if (file.has_attribute("/", "file_kind")) { // other software writes none
        store::require_kind(file, store::FileKind::dataset);
    }
    return file;
}

std::vector<std::string> data_set_covariates(const store::FileReader& file) {
    if (file.has_attribute("/trajectories", "covariates")) {
        return file.attribute<std::string>("/trajectories", "covariates");
    }
    std::vector<std::string> names;
    for (const store::Node& node : file.children("/trajectories")) {
        const std::string name = node.path.substr(node.path.rfind('/') + 1);
        if (node.kind == store::NodeKind::dataset && name != "id") {
            names.push_back(name);
        }
    }
    return names;
}

Ensemble read_data_set(const Source& source, const Labels& labels) {
    const store::FileReader file = open_data_set(source.data_file);
    Ensemble ensemble;
    ensemble.labels = read_ids(file);
    read_covariates(file, ensemble);
    read_rows(source, file, ensemble);
    check_rows(source, ensemble);
    EventLists events = read_data_set_events(source, file, ensemble.labels.size());
    ensemble.event_offset = std::move(events.offset);
    ensemble.events = std::move(events.events);
    if (labels.size() == 0) {
        return ensemble;
    }
    return reordered(ensemble, order_of(source, labels, ensemble.labels));
}

} // namespace rondo::ensemble
