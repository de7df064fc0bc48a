#include <rondo/base/error.hpp>
#include <rondo/comm/collective.hpp>

#include "world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace rondo::comm {
namespace {

std::size_t rank_of(const Comm& comm) { return static_cast<std::size_t>(comm.rank()); }

/// rank, rank, ... as often as `n`.
template <class T>
std::vector<T> filled(std::size_t n, int rank) {
    return std::vector<T>(n, static_cast<T>(rank));
}

TEST(Broadcast, gives_the_values_of_any_root_in_pieces) {
    const Comm comm = Comm::world();
    for (int root = 0; root < comm.size(); ++root) {
        for (const std::size_t n : {0U, 1U, 7U, 1000U}) {
            std::vector<double> data(n);
            std::iota(data.begin(), data.end(), 100.0 * comm.rank());
            std::vector<double> expected(n);
            std::iota(expected.begin(), expected.end(), 100.0 * root);
            broadcast(comm, std::span<double>{data}, root, 24);
            EXPECT_EQ(data, expected) << "root " << root << ", n " << n;
        }
    }
}

TEST(Broadcast, brings_the_length_along) {
    const Comm comm = Comm::world();
    const int root = comm.size() - 1;
    const bool is_root = comm.rank() == root;
    EXPECT_EQ(broadcast(comm, is_root ? std::string{"a\0b", 3} : std::string(rank_of(comm), 'x'), root),
              std::string("a\0b", 3));
    EXPECT_EQ(broadcast(comm, is_root ? std::string{} : std::string{"longer"}, root), "");
    EXPECT_EQ(broadcast(comm, is_root ? std::vector<double>{1.5, 2.5} : std::vector<double>{}, root),
              (std::vector<double>{1.5, 2.5}));
    EXPECT_EQ(broadcast(comm, is_root ? std::vector<std::int64_t>{-7} : std::vector<std::int64_t>{1, 2}, root),
              (std::vector<std::int64_t>{-7}));
    EXPECT_EQ(broadcast(comm, is_root ? std::vector<std::byte>(3000000, std::byte{9}) : std::vector<std::byte>{}, root),
              std::vector<std::byte>(3000000, std::byte{9}));
}

TEST(Gather, puts_lengths_that_differ_in_rank_order) {
    const Comm comm = Comm::world();
    for (int root = 0; root < comm.size(); ++root) {
        for (const std::size_t piece_bytes : {std::size_t{16}, largest_piece_bytes}) {
            const auto all = gather(comm, filled<double>(rank_of(comm) * 3, comm.rank()), root, piece_bytes);
            ASSERT_EQ(all.size(), comm.rank() == root ? static_cast<std::size_t>(comm.size()) : 0U);
            for (std::size_t r = 0; r < all.size(); ++r) {
                EXPECT_EQ(all[r], filled<double>(r * 3, static_cast<int>(r)));
            }
        }
    }
}

TEST(Gather, takes_bytes_integers_and_large_vectors) {
    const Comm comm = Comm::world();
    const auto bytes = gather(comm, std::vector<std::byte>(5, static_cast<std::byte>(comm.rank())));
    const auto integers = gather(comm, filled<std::int64_t>(500000, comm.rank()));
    for (std::size_t r = 0; r < bytes.size(); ++r) {
        EXPECT_EQ(bytes[r], std::vector<std::byte>(5, static_cast<std::byte>(r)));
        EXPECT_EQ(integers[r], filled<std::int64_t>(500000, static_cast<int>(r)));
    }
}

TEST(Gather, takes_text) {
    const Comm comm = Comm::world();
    const auto all = gather_text(comm, std::string(rank_of(comm), 'z'));
    ASSERT_EQ(all.size(), comm.rank() == 0 ? static_cast<std::size_t>(comm.size()) : 0U);
    for (std::size_t r = 0; r < all.size(); ++r) {
        EXPECT_EQ(all[r], std::string(r, 'z'));
    }
}

TEST(AllGather, gives_every_rank_all_numbers) {
    const Comm comm = Comm::world();
    const auto integers = all_gather(comm, filled<std::int64_t>(rank_of(comm), comm.rank()));
    const auto doubles = all_gather(comm, filled<double>(2, comm.rank()));
    ASSERT_EQ(integers.size(), static_cast<std::size_t>(comm.size()));
    for (std::size_t r = 0; r < integers.size(); ++r) {
        EXPECT_EQ(integers[r], filled<std::int64_t>(r, static_cast<int>(r)));
        EXPECT_EQ(doubles[r], filled<double>(2, static_cast<int>(r)));
    }
}

TEST(ExclusiveSum, is_where_a_rank_begins) {
    const Comm comm = Comm::world();
    EXPECT_EQ(exclusive_sum(comm, comm.rank() + 1), comm.rank() * (comm.rank() + 1) / 2);
}

TEST(AnyRank, hears_one_rank) {
    const Comm comm = Comm::world();
    EXPECT_TRUE(any_rank(comm, comm.rank() == comm.size() - 1));
    EXPECT_FALSE(any_rank(comm, false));
}

TEST(Hosts, is_one_for_ranks_of_one_machine) { EXPECT_EQ(hosts(Comm::world()), 1); }

TEST(Self, collectives_copy) {
    const Comm self = Comm::self();
    barrier(self);
    EXPECT_EQ(broadcast(self, std::string{"text"}), "text");
    EXPECT_EQ(gather(self, std::vector<double>{1.0}), (std::vector<std::vector<double>>{{1.0}}));
    EXPECT_EQ(all_gather(self, std::vector<double>{1.0}), (std::vector<std::vector<double>>{{1.0}}));
    EXPECT_EQ(exclusive_sum(self, 5), 0);
    EXPECT_TRUE(any_rank(self, true));
    EXPECT_EQ(hosts(self), 1);
}

#ifndef RONDO_NO_CONTRACTS
TEST(Broadcast, refuses_a_root_outside) {
    const Comm comm = Comm::world();
    const std::string text =
        message_of<ContractError>([&] { static_cast<void>(broadcast(comm, std::string{}, comm.size())); });
    EXPECT_THAT(text, testing::HasSubstr("the root is a rank of the communicator"));
}
#endif

} // namespace
} // namespace rondo::comm
