#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rondo::ensemble {

/// Trajectory ids as they stand in the files, each with its number in order of first appearance.
class Labels {
public:
    /// The number of `label`; a new label takes the next number.
    std::int64_t add(std::string_view label);
    [[nodiscard]] std::optional<std::int64_t> find(std::string_view label) const;
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] std::size_t size() const { return names_.size(); }

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> numbers_;
};

/// "1" to "n".
[[nodiscard]] Labels numbered_labels(std::size_t n);

/// The first few of many names, quoted: `"a", "b" and 7 more`.
[[nodiscard]] std::string first_few(const std::vector<std::string>& names);

} // namespace rondo::ensemble
