#include "data_set.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rondo::ensemble {

void check_offset(const store::FileReader& file, const std::string& path, const std::vector<std::int64_t>& offset,
                  std::size_t n, std::size_t n_rows) {
    const std::string where = fmt::format("{}: {}", file.path().string(), path);
    if (offset.size() != n + 1) {
        throw InputError{
            fmt::format("{} has {} entries, but there are {} trajectories (one more is needed); write it again", where,
                        offset.size(), n)};
    }
    if (offset.front() != 0 || static_cast<std::size_t>(offset.back()) != n_rows || !std::ranges::is_sorted(offset)) {
        throw InputError{
            fmt::format("{} must start at 0, never decrease and end at the {} rows; write it again", where, n_rows)};
    }
}

void check_shape(const store::FileReader& file, const std::string& path, const store::Shape& wanted) {
    const store::Shape shape = file.shape(path);
    if (shape != wanted) {
        throw InputError{fmt::format("{}: {} has the shape [{}], but [{}] is needed; write it again",
                                     file.path().string(), path, fmt::join(shape, " x "), fmt::join(wanted, " x "))};
    }
}

} // namespace rondo::ensemble
