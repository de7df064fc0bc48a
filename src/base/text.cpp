#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace rondo {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Edit distance with swaps of neighbours (optimal string alignment), case ignored.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        last[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
            const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) {
                now[j] = std::min(now[j], before[j - 2] + 1);
            }
        }
        std::swap(before, last);
        std::swap(last, now);
    }
    return last[b.size()];
}

} // namespace

std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> known) {
    constexpr std::size_t longest_word = 256;
    if (word.size() > longest_word) {
        return std::nullopt;
    }
    std::optional<std::string> best;
    std::size_t best_distance = 2 + word.size() / 4;
    for (const std::string& candidate : known) {
        if (candidate.size() > longest_word) {
            continue;
        }
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string known_words_hint(std::string_view word, std::span<const std::string> known) {
    std::vector<std::string> sorted(known.begin(), known.end());
    std::ranges::sort(sorted);
    constexpr std::size_t shown = 20;
    std::string hint = sorted.empty() ? std::string{" (none is known here)"} : std::string{};
    if (!sorted.empty()) {
        const std::span<const std::string> head{sorted.data(), std::min(shown, sorted.size())};
        hint = fmt::format(" (known: {}{})", join(head),
                           sorted.size() > shown ? fmt::format(", and {} more", sorted.size() - shown) : "");
    }
    if (const auto near = nearest_word(word, known)) {
        hint += fmt::format("; did you mean \"{}\"?", *near);
    }
    return hint;
}

std::string join(std::span<const std::string> words, std::string_view separator) {
    return fmt::format("{}", fmt::join(words.begin(), words.end(), separator));
}

std::string number_text(double value) { return fmt::format("{}", value); }

std::optional<double> parse_number(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
        text.remove_suffix(1);
    }
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') {
        text.remove_prefix(1);
    }
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

bool is_identifier(std::string_view text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !text.empty() && is_letter(text.front()) &&
           std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool is_utf8(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const auto lead = static_cast<unsigned char>(text[i]);
        std::size_t more = 0;
        std::uint32_t code = lead;
        if (lead >= 0xF0) {
            more = 3;
            code = lead & 0x07U;
        } else if (lead >= 0xE0) {
            more = 2;
            code = lead & 0x0FU;
        } else if (lead >= 0xC0) {
            more = 1;
            code = lead & 0x1FU;
        } else if (lead >= 0x80) {
            return false;
        }
        if (lead >= 0xF8 || i + more >= text.size()) {
            return false;
        }
        for (std::size_t k = 1; k <= more; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            if ((next & 0xC0U) != 0x80U) {
                return false;
            }
            code = (code << 6U) | (next & 0x3FU);
        }
        constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
            return false;
        }
        i += more + 1;
    }
    return true;
}

} // namespace rondo
