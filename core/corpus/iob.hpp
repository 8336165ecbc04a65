#pragma once
// Entities in columns: one word a line, one of its columns the entity tag.
//
// A map names the columns: id, form, lemma, upos, xpos, feats, deprel, entity, and "-" for what has no name here. They
// are separated by tabs or by single spaces. The entity is carried in MISC as `NER=B-PER`, in BIO whatever the scheme
// of the file, and `NER=O` for a word outside, since a word without the entry is not annotated. The column without a
// name, say the fourth, is carried as `Column4=value` where it is not "-". An empty form, which some files have, is "_"
// with `EmptyForm=Yes`. Sentences end at empty lines and at lines of white space; the latter are carried by the last
// word as `After=`. A line with "#" is a comment if no word can look like it: words have ids, or columns are separated
// by tabs and it has none.

#include <string>
#include <string_view>
#include <vector>

#include "corpus/iob_scheme.hpp"
#include "corpus/rows.hpp"

namespace laconic::corpus {

struct IobMap {
    // Throws std::invalid_argument for an unknown name, a name that stands twice, or a map without form and entity.
    IobMap(const std::vector<std::string>& names, char separator, Scheme scheme);

    static constexpr int id = -1, entity = -2, carried = -3;  // else the number of a field
    std::vector<int> columns;
    char separator;
    Scheme scheme;

    [[nodiscard]] bool has_comments() const noexcept { return columns[0] == id || separator == '\t'; }
    [[nodiscard]] bool holds(Field field) const noexcept;
};

[[nodiscard]] ReadResult read_iob(std::string_view source, const ReadOptions& options, const IobMap& map);

// A word without `NER=` is written as O, and counted as a loss. Throws std::invalid_argument where a value holds the
// separator.
[[nodiscard]] Written write_iob(const Columns& columns, const IobMap& map);

}  // namespace laconic::corpus
