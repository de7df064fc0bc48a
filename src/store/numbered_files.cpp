#include <rondo/base/error.hpp>
#include <rondo/store/numbered_files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace rondo::store {
namespace {

/// The number in `<prefix><digits><suffix>`, if the name is one.
std::optional<std::int64_t> number_in(std::string_view name, std::string_view prefix, std::string_view suffix) {
    if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix)) {
        return std::nullopt;
    }
    const std::string_view digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = digits.find_first_not_of("0123456789") == std::string_view::npos && status == std::errc{};
    return is_number ? std::optional{number} : std::nullopt;
}

} // namespace

std::vector<NumberedFile> list_numbered(const std::filesystem::path& directory, std::string_view prefix,
                                        std::string_view suffix) {
    std::vector<NumberedFile> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry{directory, error}, end; !error && entry != end;
         entry.increment(error)) {
        if (const auto number = number_in(entry->path().filename().string(), prefix, suffix)) {
            files.push_back({entry->path(), *number});
        }
    }
    if (error && error != std::errc::no_such_file_or_directory) {
        throw StoreError{fmt::format("{}: the directory cannot be listed ({}); check its permissions",
                                     directory.string(), error.message())};
    }
    std::ranges::sort(files, [](const NumberedFile& a, const NumberedFile& b) {
        return a.number != b.number ? a.number > b.number : a.path < b.path;
    });
    return files;
}

NewestValid newest_valid(const std::vector<NumberedFile>& files,
                         const std::function<void(const std::filesystem::path&)>& verify) {
    NewestValid newest;
    for (const NumberedFile& file : files) {
        try {
            verify(file.path);
            newest.file = file;
            return newest;
        } catch (const StoreError& error) {
            newest.rejected.emplace_back(error.what());
        } catch (const InputError& error) {
            newest.rejected.emplace_back(error.what());
        }
    }
    return newest;
}

NewestValid newest_valid(const std::filesystem::path& directory, std::string_view prefix, std::string_view suffix,
                         const std::function<void(const std::filesystem::path&)>& verify) {
    return newest_valid(list_numbered(directory, prefix, suffix), verify);
}

} // namespace rondo::store
