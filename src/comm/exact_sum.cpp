#include <rondo/comm/exact_sum.hpp>

#include <rondo/base/contract.hpp>

#include "fixed_point.hpp"

namespace rondo::comm {
namespace {

/// Number of rows.
std::size_t count_rows(std::span<const double> rows, std::size_t n_entries) {
    expects(n_entries == 0 ? rows.empty() : rows.size() % n_entries == 0, "rows holds whole rows of n_entries");
    return n_entries == 0 ? 0 : rows.size() / n_entries;
}

} // namespace

std::vector<double> exact_sum(const Comm& comm, std::span<const double> rows, std::size_t n_entries,
                              const ReduceOptions& options) {
    const std::size_t n_rows = count_rows(rows, n_entries);
    std::vector<std::int16_t> exponents = largest_exponents(rows, n_entries);
    allreduce_max(comm, exponents);
    std::vector<Int128> totals = fixed_point_sums(rows, n_entries, exponents);
    totals.push_back(static_cast<Int128>(n_rows));
    allreduce_sum(comm, totals, options);
    check_n_contributions(totals.back());
    std::vector<double> sums(n_entries);
    for (std::size_t j = 0; j < n_entries; ++j) {
        sums[j] = from_fixed_point(totals[j], exponents[j]);
    }
    return sums;
}

std::vector<double> plain_sum(const Comm& comm, std::span<const double> rows, std::size_t n_entries,
                              const ReduceOptions& options) {
    const std::size_t n_rows = count_rows(rows, n_entries);
    std::vector<double> sums(n_entries, 0.0);
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < n_entries; ++j) {
            sums[j] += rows[i * n_entries + j];
        }
    }
    allreduce_sum(comm, sums, options);
    return sums;
}

} // namespace rondo::comm
