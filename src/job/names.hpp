#pragma once

#include <rondo/job/job.hpp>

#include <string>
#include <vector>

namespace rondo::job {

/// `job.toml:12: [model.rates]` for a recorded key; the file without a line where the key is not given.
[[nodiscard]] std::string prefix(const Job& job, const std::string& table, const std::string& key);

/// Every name is an identifier, not reserved, and means one thing.
/// @throws InputError
void check_names(const Job& job, const std::vector<std::string>& states, const std::vector<std::string>& parameters);

/// Whether every known name has to have its entry.
enum class Every : bool { no, yes };

/// Names given to entries of a table are all known ones, and, with `Every::yes`, each known one has its entry.
/// @param thing  what the names are: "state"
/// @throws InputError  an unknown name first, since its correction often is the missing one
void check_entries(const Job& job, const std::string& table, const std::string& thing,
                   const std::vector<std::string>& given, const std::vector<std::string>& known, Every every);

} // namespace rondo::job
