#include "corpus/rows.hpp"

#include <algorithm>

namespace laconic::corpus {

void Rows::check_id(const Line& line, std::string_view id) {
    std::int32_t number = 0;
    const auto expected = static_cast<std::int64_t>(lines.size()) + 1;
    if (!parse_number(id, number) || number != expected)
        fault("the id is " + quote(id) + ": expected " + std::to_string(expected), line, id);
}

std::int32_t Rows::head(const Line& line, std::string_view cell) {
    std::int32_t head = no_head;
    if (cell != "_" && !parse_number(cell, head))
        fault("HEAD is " + quote(cell) + ": expected a word's id, 0 or _ (written without leading zeros)", line, cell);
    return head;
}

bool Rows::none_empty(const Line& line, std::span<const std::string_view> cells, std::span<const char* const> names) {
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].empty()) {
            fault(std::string(names[std::min(i, names.size() - 1)]) + " is empty: expected a value or _", line,
                  cells[i]);
            return false;
        }
    return true;
}

void Rows::wrong_width(const Line& line, const std::string& expected, std::size_t found) {
    if (line.text.find_first_not_of(" \t") == std::string_view::npos)
        return faults.add("a line of white space: expected an empty line between sentences", line);
    const bool cut = line.begin + line.text.size() == source.size();
    faults.add("expected " + expected + ", found " + std::to_string(found) +
                   (cut ? ", and the input ends here: is it truncated?" : ""),
               line, line.text.size());
}

void Rows::add(const Line& line, const std::array<Span, field_count>& fields, std::int32_t head,
               std::size_t head_offset) {
    for (std::size_t f = 0; f < field_count; ++f) columns.fields[f].push_back(fields[f]);
    columns.heads.push_back(head);
    lines.push_back(line);
    head_at.push_back(head_offset);
}

void Rows::check_heads() {
    TreeFault fault = check_tree({columns.heads.data() + first_word(), columns.words() - first_word()});
    if (!fault.reason.empty()) faults.add(std::move(fault.reason), lines[fault.word], head_at[fault.word]);
}

void lose(Losses& losses, const char* what, std::uint64_t count) {
    if (count == 0) return;
    const auto known = std::find_if(losses.begin(), losses.end(), [&](const auto& loss) { return loss.first == what; });
    if (known == losses.end())
        losses.emplace_back(what, count);
    else
        known->second += count;
}

}  // namespace laconic::corpus
