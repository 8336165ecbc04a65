#pragma once
// Edit scripts: how a lemma is made from a form. Counts are code points.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace laconic::tag {

[[nodiscard]] std::size_t length_of(std::string_view text) noexcept;  // in code points; linear

// What becomes of the letters that stay: lower case, as they are, or lower case but for the first of the form.
enum class Letters : std::uint8_t { lower, keep, head };
inline constexpr std::size_t letters_count = 3;

// Cut so much from both ends of the form, change the case of what is left, put `front` and `back` around it.
struct Script {
    // As `cut_front`: nothing of the form stays.
    static constexpr std::uint32_t all = 0xffff;

    Letters letters = Letters::lower;
    std::uint32_t cut_front = 0;
    std::uint32_t cut_back = 0;
    std::string front;
    std::string back;

    bool operator==(const Script&) const = default;

    // Code points that a form must have so that the script applies and leaves something.
    [[nodiscard]] std::size_t needs() const noexcept {
        if (cut_front == all) return front.empty() && back.empty() ? std::numeric_limits<std::uint32_t>::max() : 0;
        return std::size_t{cut_front} + cut_back + (front.empty() && back.empty() ? 1 : 0);
    }
};

// The script that makes this lemma from this form: around their longest common piece without regard to case, the first
// one of several, or around their common beginning if that is nearly as long, with the first case rule that gives the
// lemma. Cost: product of the lengths, of which at most 64 code
// points each are looked at; longer ones have the lemma as a whole.
[[nodiscard]] Script derive(std::string_view form, std::string_view lemma);

// Writes the lemma to `lemma`. A form that is too short for the script is its own lemma, in lower case. Never empty for
// a form that is not.
void apply(const Script& script, std::string_view form, std::string& lemma);

}  // namespace laconic::tag
