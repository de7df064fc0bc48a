#include <rondo/solve/options.hpp>

#include <rondo/base/contract.hpp>

#include <algorithm>
#include <cstddef>

namespace rondo::solve {
namespace {

/// The enumerator whose number is the word's position.
template <class Kind>
std::optional<Kind> kind_from(std::string_view name, const std::vector<std::string>& names) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        return std::nullopt;
    }
    return static_cast<Kind>(found - names.begin());
}

template <class Kind>
std::string_view name_from(Kind kind, const std::vector<std::string>& names) {
    const auto index = static_cast<std::size_t>(kind);
    expects(index < names.size(), "an enumerator has a name");
    return names[index];
}

} // namespace

const std::vector<std::string>& engine_names() {
    static const std::vector<std::string> names{"auto", "single", "block", "lanes"};
    return names;
}
std::optional<EngineKind> engine_from(std::string_view name) { return kind_from<EngineKind>(name, engine_names()); }
std::string_view name_of(EngineKind kind) { return name_from(kind, engine_names()); }

const std::vector<std::string>& method_names() {
    static const std::vector<std::string> names{"auto", "adams", "bdf", "tsit5", "rodas5p"};
    return names;
}
std::optional<Method> method_from(std::string_view name) { return kind_from<Method>(name, method_names()); }
std::string_view name_of(Method method) { return name_from(method, method_names()); }

const std::vector<std::string>& sensitivity_names() {
    static const std::vector<std::string> names{"auto", "forward", "adjoint"};
    return names;
}
std::optional<Sensitivity> sensitivity_from(std::string_view name) {
    return kind_from<Sensitivity>(name, sensitivity_names());
}
std::string_view name_of(Sensitivity sensitivity) { return name_from(sensitivity, sensitivity_names()); }

} // namespace rondo::solve
