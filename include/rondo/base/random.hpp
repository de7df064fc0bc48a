#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace rondo {

/// What a random number is for, so that two purposes with one seed never share numbers.
enum class RandomPurpose : std::uint32_t { shuffle = 1, validation = 2, covariate = 3, initialisation = 4, noise = 5 };

/// Names one stream of random numbers. A number is a pure function of its key and counter: nothing is drawn in arrival
/// order, so the numbers are the same on any count of ranks and threads and after a resume.
struct RandomKey {
    std::uint64_t seed = 0;
    RandomPurpose purpose = RandomPurpose::shuffle;
};

/// Four uniform 32-bit words for (key, counter): Philox4x32-10.
///
/// Source  Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, 2011.
/// Tests   tests/base/random_test.cpp: the paper's known answers, moments, independence of purposes.
[[nodiscard]] std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// Uniform in the open interval (0, 1), 52 bits. `major` and `minor` are the counter: for instance trajectory and slot.
[[nodiscard]] double random_uniform(const RandomKey& key, std::uint64_t major, std::uint32_t minor);

/// Standard normal by Box and Muller from one counter; the same bits wherever libm gives the same log, sqrt and cos.
[[nodiscard]] double random_normal(const RandomKey& key, std::uint64_t major, std::uint32_t minor);

/// Shuffle in place by Fisher and Yates; the order is a function of (key, round) and the length only.
void random_shuffle(const RandomKey& key, std::uint64_t round, std::span<std::int64_t> items);

} // namespace rondo
