#pragma once
// Entity tags of one sentence in the schemes in use, and their conversion.
//
// Documents hold BIO (also called IOB2): B-X begins an entity of type X, I-X continues it, O is outside. In IOB1, I-X
// begins one too and B-X is used only right after another entity of type X. BILOU marks the last word (L-X) and
// entities of one word (U-X); BIOES is BILOU with E and S.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace laconic::corpus {

enum class Scheme { bio, iob1, bilou, bioes };

// The scheme of that name; throws std::invalid_argument for others, naming all.
[[nodiscard]] Scheme scheme_named(std::string_view name);

// Is it O or LETTER-TYPE with one of the letters of the scheme?
[[nodiscard]] bool is_tag(std::string_view tag, Scheme scheme) noexcept;

struct TagFault {
    std::string reason;  // empty: no fault
    std::size_t word = 0;
};

// Tags of a scheme to BIO. A sequence that the scheme does not allow is a fault, so that from_bio gives back what was
// given; tags that are BIO already are taken as they are, B- after B- and I- at the begin of an entity included.
[[nodiscard]] TagFault to_bio(std::span<const std::string_view> tags, Scheme scheme, std::vector<std::string>& bio);

// BIO to a scheme. Returns how many entities began with I-, which only BIO can tell from those that began with B-.
std::size_t from_bio(std::span<const std::string_view> bio, Scheme scheme, std::vector<std::string>& tags);

}  // namespace laconic::corpus
