#include "corpus/joined.hpp"

#include <algorithm>
#include <stdexcept>

namespace laconic::corpus {

Joined join(std::span<const Columns* const> parts, std::span<const std::uint8_t> opens) {
    if (opens.size() != parts.size()) throw std::invalid_argument("say of each part whether it opens a document");
    Joined joined{concatenate(parts), {0}, {0}};
    Columns& all = joined.columns;
    const Span newdoc = all.append("# newdoc");
    PerSentence<Span> comments;
    comments.items.reserve(all.comments.items.size() + parts.size());
    std::size_t sentence = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        joined.bytes.push_back(joined.bytes.back() + static_cast<std::uint32_t>(parts[p]->bytes.size()));
        joined.words.push_back(joined.words.back() + static_cast<std::uint32_t>(parts[p]->words()));
        for (std::size_t s = 0; s < parts[p]->sentence_count(); ++s, ++sentence) {
            if (s == 0 && opens[p] != 0) comments.items.push_back(newdoc);
            const std::span<const Span> own = all.comments[sentence];
            comments.items.insert(comments.items.end(), own.begin(), own.end());
            comments.close();
        }
    }
    all.comments = std::move(comments);
    return joined;
}

void hand_back(const Joined& joined, std::span<Columns* const> parts) {
    const Columns& all = joined.columns;
    bool same = parts.size() + 1 == joined.words.size() && all.words() == joined.words.back();
    for (std::size_t p = 0; same && p < parts.size(); ++p)
        same = parts[p]->words() == joined.words[p + 1] - joined.words[p] &&
               parts[p]->bytes.size() >= joined.bytes[p + 1] - joined.bytes[p];
    if (!same) throw std::invalid_argument("these are not the documents that were joined");

    // Where a value that was written into the whole stands in the part at work, by its place in the whole.
    struct Placed {
        std::size_t part = 0;  // from 1 on
        Span span{};
    };
    const std::size_t source = joined.bytes.back();
    std::vector<Placed> placed(all.bytes.size() - source + 1);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        Columns& part = *parts[p];
        const std::uint32_t begin = joined.bytes[p], end = joined.bytes[p + 1];
        const auto own = [&](Span span) -> Span {
            if (span.begin >= begin && span.begin + span.size <= end) return {span.begin - begin, span.size};
            if (span.begin < source) return part.append(all.view(span));  // a value that another part has, too
            Placed& found = placed[span.begin - source];
            if (found.part != p + 1 || found.span.size != span.size) found = {p + 1, part.append(all.view(span))};
            return found.span;
        };
        const std::size_t first = joined.words[p], count = joined.words[p + 1] - first;
        for (const Field field :
             {Field::lemma, Field::upos, Field::xpos, Field::feats, Field::deprel, Field::deps, Field::misc})
            for (std::size_t i = 0; i < count; ++i) part[field][i] = own(all[field][first + i]);
        std::copy_n(all.heads.begin() + static_cast<std::ptrdiff_t>(first), count, part.heads.begin());
    }
}

}  // namespace laconic::corpus
