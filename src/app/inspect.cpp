#include "commands.hpp"
#include "json.hpp"

#include <rondo/base/text.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/store/checksum.hpp>
#include <rondo/store/file_kind.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace rondo::app {
namespace {

std::string shape_text(const store::Shape& shape) {
    std::vector<std::string> lengths;
    for (const std::size_t length : shape) {
        lengths.push_back(std::to_string(length));
    }
    return shape.empty() ? "scalar" : join(lengths, " x ");
}

/// Every group and dataset below a group, depth first.
void walk(const store::FileReader& file, const std::string& group, std::vector<store::Node>& nodes) {
    for (store::Node& node : file.children(group)) {
        const std::string path = node.path;
        const bool is_group = node.kind == store::NodeKind::group;
        nodes.push_back(std::move(node));
        if (is_group) {
            walk(file, path, nodes);
        }
    }
}

/// The parameters of a checkpoint or result; nothing for other kinds.
std::vector<std::pair<std::string, double>> parameters_of(const store::FileReader& file) {
    std::vector<std::pair<std::string, double>> all;
    if (file.exists("/parameters/names") && file.exists("/parameters/values")) {
        const auto names = file.read<std::string>("/parameters/names");
        const auto values = file.read<double>("/parameters/values");
        for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
            all.emplace_back(names[i], values[i]);
        }
    }
    return all;
}

void print_text(const store::FileReader& file, const store::Provenance& made, const std::vector<store::Node>& nodes) {
    fmt::print("{}: {} (format {})\n", file.path().string(), made.kind, made.format_version);
    fmt::print("  made      {} by rondo {} {} on {} rank{}\n  command   {}\n", made.created, made.rondo_version,
               made.git_hash, made.world_size, made.world_size == 1 ? "" : "s", made.command);
    for (const auto& attribute : file.node("/").attributes) {
        if (attribute.name == "loss" || attribute.name == "ending" || attribute.name == "ending_reason" ||
            attribute.name == "n_trajectories" || attribute.name == "n_updates") {
            fmt::print("  {:<9} {}\n", attribute.name, attribute.text);
        }
    }
    if (file.exists("/progress/update")) {
        fmt::print("  progress  update {}, epoch {}\n", file.read_scalar<std::int64_t>("/progress/update"),
                   file.read_scalar<std::int64_t>("/progress/epoch"));
    }
    if (file.exists("/history/loss")) {
        const auto loss = file.read<double>("/history/loss");
        if (!loss.empty()) {
            fmt::print("  history   {} rows, loss {:.9g} to {:.9g}\n", loss.size(), loss.front(), loss.back());
        }
    }
    if (file.exists("/trajectories/id")) {
        fmt::print("  ensemble  {} trajectories\n", file.shape("/trajectories/id")[0]);
    }
    if (file.exists("/failures/trajectory")) {
        fmt::print("  failures  {}\n", file.shape("/failures/trajectory")[0]);
    }
    const auto parameters = parameters_of(file);
    constexpr std::size_t most = 50;
    for (std::size_t i = 0; i < std::min(parameters.size(), most); ++i) {
        fmt::print("  parameter {:<16} {:.17g}\n", parameters[i].first, parameters[i].second);
    }
    if (parameters.size() > most) {
        fmt::print("  and {} parameters more\n", parameters.size() - most);
    }
    fmt::print("contents\n");
    for (const store::Node& node : nodes) {
        if (node.kind == store::NodeKind::dataset) {
            fmt::print("  {:<32} {:<8} {}\n", node.path, node.type, shape_text(node.shape));
        }
    }
}

void print_json(const store::FileReader& file, const store::Provenance& made, const std::vector<store::Node>& nodes) {
    Json parameters;
    for (const auto& [name, value] : parameters_of(file)) {
        parameters.add(name, value);
    }
    Json attributes;
    for (const auto& attribute : file.node("/").attributes) {
        attributes.add(attribute.name, attribute.text);
    }
    Json datasets;
    for (const store::Node& node : nodes) {
        if (node.kind == store::NodeKind::dataset) {
            std::string lengths;
            for (const std::size_t length : node.shape) {
                lengths += (lengths.empty() ? "" : ", ") + std::to_string(length);
            }
            datasets.add_raw(node.path, Json{}.add("type", node.type).add_raw("shape", "[" + lengths + "]").text());
        }
    }
    Json json;
    json.add("file", file.path().string())
        .add("file_kind", made.kind)
        .add("format_version", std::int64_t{made.format_version});
    json.add_raw("attributes", attributes.text())
        .add_raw("parameters", parameters.text())
        .add_raw("datasets", datasets.text());
    fmt::print("{}\n", json.text());
}

} // namespace

int inspect(const comm::Comm& comm, const Arguments& arguments) {
    comm::run_agreed(comm, [&] {
        if (comm.rank() != 0) {
            return;
        }
        const store::FileReader file{arguments.job};
        const auto made = store::read_provenance(file);
        if (file.exists("/checksum")) {
            store::verify_checksum(file);
        }
        std::vector<store::Node> nodes;
        walk(file, "/", nodes);
        if (arguments.json) {
            print_json(file, made, nodes);
        } else {
            print_text(file, made, nodes);
        }
    });
    return 0;
}

} // namespace rondo::app
