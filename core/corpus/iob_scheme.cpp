#include "corpus/iob_scheme.hpp"

#include <stdexcept>

#include "corpus/lines.hpp"

namespace laconic::corpus {

namespace {

struct Letters {
    std::string_view all;
    char last, unit;
};

Letters letters(Scheme scheme) noexcept {
    if (scheme == Scheme::bilou) return {"BILU", 'L', 'U'};
    if (scheme == Scheme::bioes) return {"BIES", 'E', 'S'};
    return {"BI", 'I', 'B'};
}

std::string_view type(std::string_view tag) noexcept {
    return tag.size() > 2 ? tag.substr(2) : std::string_view{};
}

std::string with(char letter, std::string_view tag) {
    std::string result(tag);
    result[0] = letter;
    return result;
}

std::string quoted(std::string_view tag) {
    return quote(tag);
}

// LETTER-TYPE
std::string tag_of(char letter, std::string_view type) {
    return std::string(1, letter).append(1, '-').append(type);
}

TagFault iob1_to_bio(std::span<const std::string_view> tags, std::vector<std::string>& bio) {
    std::string_view before;  // type of the word before; O has none
    for (std::size_t i = 0; i < tags.size(); ++i) {
        const bool same = tags[i] != "O" && type(tags[i]) == before;
        if (tags[i][0] == 'B' && !same)
            return {quoted(tags[i]) + " follows no entity of its type: expected " + quoted(with('I', tags[i])) +
                        " in the scheme iob1 (or is it bio?)",
                    i};
        bio.push_back(tags[i][0] == 'I' && !same ? with('B', tags[i]) : std::string(tags[i]));
        before = type(tags[i]);
    }
    return {};
}

TagFault bilou_to_bio(std::span<const std::string_view> tags, Letters in, std::vector<std::string>& bio) {
    std::string_view open;  // type of the entity that is not closed yet
    for (std::size_t i = 0; i < tags.size(); ++i) {
        const char letter = tags[i][0];
        const bool continues = letter == 'I' || letter == in.last;
        if (continues != !open.empty() || (continues && type(tags[i]) != open)) {
            const std::string next = open.empty() ? tag_of('B', ", ").append(tag_of(in.unit, " or O"))
                                                  : tag_of('I', open).append(" or ").append(tag_of(in.last, open));
            return {quoted(tags[i]) + " cannot stand here: expected " + next, i};
        }
        if (letter == 'B') open = type(tags[i]);
        if (letter == in.last) open = {};
        bio.push_back(letter == in.unit   ? with('B', tags[i])
                      : letter == in.last ? with('I', tags[i])
                                          : std::string(tags[i]));
    }
    if (!open.empty())
        return {"the sentence ends inside an entity: expected " + tag_of(in.last, open), tags.size() - 1};
    return {};
}

}  // namespace

Scheme scheme_named(std::string_view name) {
    if (name == "bio") return Scheme::bio;
    if (name == "iob1") return Scheme::iob1;
    if (name == "bilou") return Scheme::bilou;
    if (name == "bioes") return Scheme::bioes;
    throw std::invalid_argument("unknown scheme of entity tags \"" + std::string(name) +
                                "\": expected bio, iob1, bilou or bioes");
}

bool is_tag(std::string_view tag, Scheme scheme) noexcept {
    if (tag == "O") return true;
    return tag.size() > 2 && tag[1] == '-' && letters(scheme).all.find(tag[0]) != std::string_view::npos;
}

TagFault to_bio(std::span<const std::string_view> tags, Scheme scheme, std::vector<std::string>& bio) {
    bio.clear();
    for (std::size_t i = 0; i < tags.size(); ++i)
        if (!is_tag(tags[i], scheme)) {
            std::string expected = "O";
            for (const char letter : letters(scheme).all) expected.append(", ").append(tag_of(letter, "TYPE"));
            return {quoted(tags[i]) + " is no tag of this scheme: expected " + expected, i};
        }
    if (scheme == Scheme::iob1) return iob1_to_bio(tags, bio);
    if (scheme != Scheme::bio) return bilou_to_bio(tags, letters(scheme), bio);
    bio.assign(tags.begin(), tags.end());
    return {};
}

std::size_t from_bio(std::span<const std::string_view> bio, Scheme scheme, std::vector<std::string>& tags) {
    tags.clear();
    const Letters in = letters(scheme);
    std::size_t odd = 0;
    for (std::size_t i = 0; i < bio.size(); ++i) {
        const std::string_view tag = bio[i];
        if (scheme == Scheme::bio || tag == "O") {
            tags.emplace_back(tag);
            continue;
        }
        const bool follows = i > 0 && bio[i - 1] != "O" && type(bio[i - 1]) == type(tag);
        const bool begins = tag[0] == 'B' || !follows;
        const bool ends = i + 1 == bio.size() || bio[i + 1][0] != 'I' || type(bio[i + 1]) != type(tag);
        odd += begins && tag[0] == 'I' ? 1 : 0;
        if (scheme == Scheme::iob1)
            tags.push_back(with(begins && follows ? 'B' : 'I', tag));
        else
            tags.push_back(with(begins ? (ends ? in.unit : 'B') : (ends ? in.last : 'I'), tag));
    }
    return odd;
}

}  // namespace laconic::corpus
