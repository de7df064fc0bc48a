#include "labels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rondo::ensemble {

std::int64_t Labels::add(std::string_view label) {
    if (const auto known = numbers_.find(label); known != numbers_.end()) {
        return known->second;
    }
    const auto number = static_cast<std::int64_t>(names_.size());
    names_.emplace_back(label);
    numbers_.emplace(names_.back(), number);
    return number;
}

std::optional<std::int64_t> Labels::find(std::string_view label) const {
    const auto known = numbers_.find(label);
    return known == numbers_.end() ? std::nullopt : std::optional{known->second};
}

Labels numbered_labels(std::size_t n) {
    Labels labels;
    for (std::size_t i = 1; i <= n; ++i) {
        labels.add(std::to_string(i));
    }
    return labels;
}

std::string first_few(const std::vector<std::string>& names) {
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) {
        text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", names[i]);
    }
    return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

} // namespace rondo::ensemble
