#pragma once
// What can be known of a word from its form alone. One pass over the form, whatever its length.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/unicode.hpp"
#include "features/codes.hpp"
#include "features/plan.hpp"

namespace laconic::features {

// How much of a word is of some class.
enum class Share : std::uint8_t { none, some, all };
// Of the cased letters: none there, all lower, all upper (two or more), the first upper, otherwise mixed.
enum class Casing : std::uint8_t { none, lower, upper, title, mixed };

// Reading another form reuses the memory of the last one.
class Word {
public:
    static constexpr std::size_t max_affix = 5;
    static constexpr std::size_t max_shape = 12;

    Word() = default;
    explicit Word(std::string_view form) { read(form); }
    void read(std::string_view form);

    [[nodiscard]] std::string_view lower() const noexcept { return lower_; }
    // Affixes are lower-cased and count code points. A word shorter than `size` has none (has_affix is then false).
    [[nodiscard]] bool has_affix(std::size_t size) const noexcept { return size >= 1 && size <= length_; }
    [[nodiscard]] std::string_view prefix(std::size_t size) const noexcept;
    [[nodiscard]] std::string_view suffix(std::size_t size) const noexcept;
    // X upper, x lower, c letter without case, d digit, _ space, ASCII punctuation and symbols as they are, others p
    // and s, ? what is left. Marks are skipped, a run of three or more equal signs is written as two, and a shape of
    // more than max_shape signs is cut and marked by a final +.
    [[nodiscard]] std::string_view shape() const noexcept { return {shape_.data(), shape_size_}; }
    [[nodiscard]] Share digits() const noexcept { return share(digits_); }
    [[nodiscard]] Share punctuation() const noexcept { return share(punctuation_); }  // symbols count as well
    [[nodiscard]] bool hyphen() const noexcept { return hyphen_; }
    [[nodiscard]] Casing casing() const noexcept;
    [[nodiscard]] unicode::Script script() const noexcept { return script_; }  // of the first letter
    [[nodiscard]] std::size_t length() const noexcept { return length_; }      // in code points

    // The atom of an attribute that needs no table: LOWER, PREFIX, SUFFIX, SHAPE, DIGIT, HYPHEN, CASE, PUNCT, SCRIPT.
    [[nodiscard]] Atom atom(Attribute attribute, std::size_t number) const noexcept;

private:
    [[nodiscard]] Share share(std::size_t count) const noexcept {
        if (count == 0) return Share::none;
        return count == length_ ? Share::all : Share::some;
    }
    void read_ascii(std::string_view form);
    void add_to_shape(char sign) noexcept;
    void end_shape() noexcept;

    std::string lower_;
    std::array<char, max_shape + 1> shape_{};
    std::size_t shape_size_ = 0;
    std::array<std::size_t, max_affix> ends_{};    // ends_[i]: where the first i + 1 code points of lower_ end
    std::array<std::size_t, max_affix> begins_{};  // ring: where each of the last code points of lower_ begins
    std::size_t length_ = 0;
    std::size_t digits_ = 0;
    std::size_t punctuation_ = 0;
    std::size_t upper_ = 0;
    std::size_t lowers_ = 0;
    bool starts_upper_ = false;  // the first cased letter
    bool hyphen_ = false;
    unicode::Script script_ = unicode::Script::none;
};

}  // namespace laconic::features
