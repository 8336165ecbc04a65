#include "corpus/reversed.hpp"

#include <algorithm>

namespace laconic::corpus {

Columns reversed(const Columns& columns) {
    Columns result;
    result.bytes = columns.bytes;
    result.fields = columns.fields;
    result.heads = columns.heads;
    for (std::size_t s = 0; s < columns.sentence_count(); ++s) {
        const auto begin = static_cast<std::ptrdiff_t>(columns.sentences[s]);
        const auto end = static_cast<std::ptrdiff_t>(columns.sentences[s + 1]);
        for (auto& field : result.fields) std::reverse(field.begin() + begin, field.begin() + end);
        std::reverse(result.heads.begin() + begin, result.heads.begin() + end);
        for (auto head = result.heads.begin() + begin; head != result.heads.begin() + end; ++head)
            if (*head > 0) *head = static_cast<std::int32_t>(end - begin) + 1 - *head;
        result.close_sentence();
        result.sentences.back() = columns.sentences[s + 1];
    }
    return result;
}

}  // namespace laconic::corpus
