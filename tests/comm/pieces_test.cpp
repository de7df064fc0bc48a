#include <rondo/base/error.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/comm/pieces.hpp>

#include "world.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace rondo::comm {
namespace {

TEST(ForEachPiece, shows_rank_0_bounded_pieces_in_rank_order) {
    const Comm comm = Comm::world();
    const auto length = [](int rank) { return static_cast<std::size_t>(rank == 1 ? 0 : 10 * rank + 4); };
    const std::vector<double> mine(length(comm.rank()), comm.rank() + 0.5);
    std::vector<std::vector<double>> seen(static_cast<std::size_t>(comm.size()));
    int last_rank = 0;
    for_each_piece<double>(comm, mine, 3, [&](const Piece<double>& piece) {
        auto& target = seen[static_cast<std::size_t>(piece.rank)];
        EXPECT_GE(piece.rank, last_rank);
        EXPECT_EQ(piece.offset, target.size());
        EXPECT_EQ(piece.data.size(), std::min<std::size_t>(3, length(piece.rank) - piece.offset));
        target.insert(target.end(), piece.data.begin(), piece.data.end());
        last_rank = piece.rank;
    });
    for (int r = 0; r < comm.size(); ++r) {
        const bool shown = comm.rank() == 0;
        EXPECT_EQ(seen[static_cast<std::size_t>(r)], std::vector<double>(shown ? length(r) : 0U, r + 0.5));
    }
}

TEST(ForEachPiece, a_sink_that_throws_fails_all_ranks_and_leaves_them_in_step) {
    const Comm comm = Comm::world();
    const std::vector<std::int64_t> mine(100, comm.rank());
    int calls = 0;
    const std::string text = message_of<StoreError>([&] {
        for_each_piece<std::int64_t>(comm, mine, 7, [&](const Piece<std::int64_t>&) {
            ++calls;
            throw StoreError{"result.h5: the disk is full"};
        });
    });
    EXPECT_EQ(text, comm.size() == 1 ? "result.h5: the disk is full"
                                     : "[rank 0 of " + std::to_string(comm.size()) + "] result.h5: the disk is full");
    EXPECT_EQ(calls, comm.rank() == 0 ? 1 : 0);
    EXPECT_EQ(broadcast(comm, std::string{comm.rank() == 0 ? "in step" : ""}), "in step");
}

} // namespace
} // namespace rondo::comm
