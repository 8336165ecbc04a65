#pragma once
// Multiword tokens: which tokens stand for several words, and for which.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "features/forms.hpp"

namespace laconic::text {

// Learned from a treebank: whole tokens, lower-cased, and endings. The words of entry i are words[begins[i],
// begins[i + 1]), lower-cased; of an ending, the first word is what the rest of the token is completed with. A token
// that is nothing but an ending is not split. An entry without words says that the token is one word. A token may come
// with the one behind it, after a line feed, for places where it is something else than alone: its\na.
class Multiwords {
public:
    Multiwords() : Multiwords({}, {}, {0}, {}) {}
    // Entries are those of `tokens`, then those of `endings`. Throws ModelError where that does not fit.
    Multiwords(features::Forms tokens, features::Forms endings, std::vector<std::uint32_t> begins,
               std::vector<std::string> words);

    // The words of a token in the casing of the token, or none if it is one word. `next` is the token behind it in its
    // sentence, empty if there is none; it matters only where looks_behind() says so. Characters of the token are kept
    // where the words spell it out. A token with typographic apostrophes (U+2019) that is not known as such is split as
    // if it had those of a typewriter. `words` is overwritten. Cost: the token, and one look-up per length of ending.
    void split(std::string_view form, std::string_view next, std::vector<std::string>& words) const;
    [[nodiscard]] bool looks_behind(std::string_view form) const noexcept;

    [[nodiscard]] const features::Forms& tokens() const noexcept { return tokens_; }
    [[nodiscard]] const features::Forms& endings() const noexcept { return endings_; }
    [[nodiscard]] const std::vector<std::uint32_t>& begins() const noexcept { return begins_; }
    [[nodiscard]] const std::vector<std::string>& words() const noexcept { return words_; }

private:
    [[nodiscard]] bool possible(std::string_view form) const noexcept;
    // The same for a token that is looked up by a spelling with as many characters. False where nothing is known of it.
    bool split_as(std::string_view spelling, std::string_view form, std::string_view next,
                  std::vector<std::string>& words) const;

    features::Forms tokens_, endings_;
    std::vector<std::uint32_t> begins_;
    std::vector<std::string> words_;
    std::bitset<256 * 256> last_bytes_;  // pairs of bytes, without their case, in which entries end
    std::bitset<256 * 256> followed_;    // the same of tokens that come with the one behind them
    std::size_t longest_token_ = 0;
    std::vector<std::size_t> ending_sizes_;  // in bytes, from long to short
};

}  // namespace laconic::text
