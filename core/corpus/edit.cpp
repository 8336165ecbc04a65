#include "corpus/edit.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "corpus/lines.hpp"

namespace laconic::corpus {

namespace {

std::size_t sentence_of(const Columns& columns, std::size_t word) {
    const auto behind = std::upper_bound(columns.sentences.begin(), columns.sentences.end(), word);
    return static_cast<std::size_t>(behind - columns.sentences.begin()) - 1;
}

}  // namespace

void refuse(const Columns& columns, std::size_t word, const std::string& reason) {
    const std::size_t sentence = sentence_of(columns, word);
    // The sentence as Python counts, since that is where the mistake was made; the word by its id.
    throw InputError("sentences[" + std::to_string(sentence) + "], word " +
                         std::to_string(word - columns.sentences[sentence] + 1) + " " +
                         quote(columns.view(Field::form, word)) + ": " + reason,
                     "");
}

std::string cell_fault(std::string_view cell) {
    if (cell.empty()) return "an empty string cannot stand in a column: write _ for no value";
    if (cell.find_first_of(std::string_view("\t\n\r\0", 4)) != std::string_view::npos)
        return "a tab, line end or NUL cannot stand in a column: " + quote(cell);
    return {};
}

void set_field(Columns& columns, Field field, std::size_t word, std::string_view value) {
    if (const std::string fault = cell_fault(value); !fault.empty()) refuse(columns, word, fault);
    if (columns.view(field, word) != value) columns[field][word] = columns.append(value);
}

void set_head(Columns& columns, std::size_t word, std::int64_t head) {
    const std::size_t sentence = sentence_of(columns, word);
    const auto size = static_cast<std::int64_t>(columns.heads_of(sentence).size());
    if (head < no_head || head > size)
        refuse(columns, word,
               "head " + std::to_string(head) + " is out of range: expected 0 to " + std::to_string(size) +
                   ", or -1 for none");
    if (head == static_cast<std::int64_t>(word - columns.sentences[sentence] + 1))
        refuse(columns, word, "a word cannot be its own head: expected the id of another, or 0 for a root");
    columns.heads[word] = static_cast<std::int32_t>(head);
}

}  // namespace laconic::corpus
