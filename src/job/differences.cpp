#include <rondo/job/job.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace rondo::job {
namespace {

/// Keys, and beginnings of keys, that do not change what is computed.
bool is_exempt(std::string_view key) {
    constexpr std::array keys{std::string_view{"title"},
                              std::string_view{"train.epochs"},
                              std::string_view{"model.library"},
                              std::string_view{"data.file"},
                              std::string_view{"data.trajectories"},
                              std::string_view{"data.events"},
                              std::string_view{"parallel.allreduce"},
                              std::string_view{"parallel.segment_bytes"},
                              std::string_view{"parallel.threads"},
                              std::string_view{"parallel.balance"}};
    constexpr std::array beginnings{std::string_view{"checkpoint."}, std::string_view{"output."},
                                    std::string_view{"train.early_stopping"}};
    return std::ranges::find(keys, key) != keys.end() ||
           std::ranges::any_of(beginnings, [&](std::string_view beginning) { return key.starts_with(beginning); });
}

} // namespace

std::vector<std::string> mathematical_differences(const Job& before, const Job& now) {
    std::map<std::string, std::string> all = before.settings;
    all.insert(now.settings.begin(), now.settings.end());
    std::vector<std::string> differences;
    for (const auto& [key, value] : all) {
        const auto old_value = before.settings.find(key), new_value = now.settings.find(key);
        const bool is_same = old_value != before.settings.end() && new_value != now.settings.end() &&
                             old_value->second == new_value->second;
        if (!is_same && !is_exempt(key)) {
            differences.push_back(key);
        }
    }
    return differences;
}

} // namespace rondo::job
