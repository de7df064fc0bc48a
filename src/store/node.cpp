#include "file_state.hpp"
#include "rows.hpp"

#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rondo::store {
namespace {

/// Attributes that only hold dimension scales together.
constexpr std::array<std::string_view, 5> scale_attributes{"CLASS", "DIMENSION_LABELS", "DIMENSION_LIST", "NAME",
                                                           "REFERENCE_LIST"};

template <Element T>
std::string list_text(const FileReader& file, const std::string& object, const std::string& name) {
    constexpr std::size_t shown = 16;
    const std::vector<T> values = file.attribute<T>(object, name);
    std::vector<std::string> words;
    for (const T& value : std::span{values}.first(std::min(shown, values.size()))) {
        if constexpr (std::same_as<T, std::string>) {
            words.push_back(value);
        } else if constexpr (std::same_as<T, double>) {
            words.push_back(number_text(value));
        } else {
            words.push_back(fmt::to_string(value));
        }
    }
    return join(words) + (values.size() > shown ? fmt::format(", ... ({} in all)", values.size()) : "");
}

std::string attribute_text(const FileReader& file, hid_t object, const std::string& name, const h5::Where& where) {
    const std::string path{where.object};
    const h5::Attribute attribute = h5::open_attribute(object, name, where);
    const StoredType stored = describe_type(h5::attribute_type(attribute.get(), where).get(), where);
    switch (stored.kind) {
    case StoredClass::floating:
        return list_text<double>(file, path, name);
    case StoredClass::integer:
        return list_text<std::int64_t>(file, path, name);
    case StoredClass::fixed_text:
    case StoredClass::variable_text:
        return list_text<std::string>(file, path, name);
    case StoredClass::other:
        break;
    }
    return fmt::format("({})", stored.text);
}

} // namespace

Node FileReader::node(std::string_view path) const {
    const h5::Where where{state_->path, path};
    Node node{
        .path = std::string{path}, .kind = NodeKind::other, .type = {}, .shape = {}, .axes = {}, .attributes = {}};
    const h5::Object object = open_existing(*state_, path, where);
    node.kind = h5::kind_of(object.get(), where);
    node.type = node.kind == NodeKind::group ? "group" : "other";
    if (node.kind == NodeKind::dataset) {
        node.type = describe_type(h5::dataset_type(object.get(), where).get(), where).text;
        node.shape = shape(path);
        for (unsigned axis = 0; axis < node.shape.size(); ++axis) {
            node.axes.push_back(h5::scale_name(object.get(), axis, where));
        }
    }
    for (const std::string& name : h5::attribute_names(object.get(), where)) {
        if (std::ranges::find(scale_attributes, name) == scale_attributes.end()) {
            node.attributes.push_back({name, attribute_text(*this, object.get(), name, where)});
        }
    }
    return node;
}

std::vector<Node> FileReader::children(std::string_view group) const {
    const h5::Where where{state_->path, group};
    const h5::Object object = open_existing(*state_, group, where);
    if (h5::kind_of(object.get(), where) != NodeKind::group) {
        h5::refuse(where, "is no group", "name a group");
    }
    std::vector<Node> nodes;
    for (const std::string& name : h5::link_names(object.get(), where)) {
        const std::string path = (group == "/" ? "/" : std::string{group} + "/") + name;
        if (h5::is_hard_link(object.get(), name, where)) {
            nodes.push_back(node(path));
        } else {
            nodes.push_back(
                {.path = path, .kind = NodeKind::other, .type = "link", .shape = {}, .axes = {}, .attributes = {}});
        }
    }
    return nodes;
}

} // namespace rondo::store
