#pragma once
// Strings that are never split: addresses found by scanners, and those a user names. No regular expression: each
// character is looked at a bounded number of times.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/boundaries.hpp"
#include "text/characters.hpp"

namespace laconic::text {

// Marks the characters as one token. An opening mark before it is a token of its own.
void keep_whole(const Characters& characters, std::size_t begin, std::size_t end, std::span<Known> known);

// Marks the insides of e-mail addresses and web addresses as such.
void keep_emails(const Characters& characters, std::span<Known> known);
void keep_urls(const Characters& characters, std::span<Known> known);

// The same for what people write about computers: paths and names of files, time stamps of ISO 8601, hash tags, and
// C++, C#. Each must fill what stands between white space, marks around it apart.
void keep_technical(const Characters& characters, std::span<Known> known);
// The same for what is drawn as one picture: emoji with their modifiers, joined ones, flags, keycaps.
void keep_clusters(const Characters& characters, std::span<Known> known);

// Strings never split, as a trie. White space in them stands for any white space.
class Exceptions {
public:
    static constexpr std::size_t longest = 1000;  // characters

    // Throws std::invalid_argument for a string that is longer than that: the cost of a text is bounded by it.
    explicit Exceptions(std::span<const std::string> strings);

    // The longest string that begins wherever a word may begin, if it ends where one may end. Cost: text
    // times longest string at worst.
    void keep(const Characters& characters, std::span<Known> known) const;

private:
    static constexpr std::uint32_t root = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> next_;  // (node, character) to node
    std::vector<std::uint8_t> ends_{0};                      // is a string complete at the node
};

}  // namespace laconic::text
