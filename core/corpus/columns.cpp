#include "corpus/columns.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace laconic::corpus {

namespace {

constexpr std::size_t largest_buffer = std::numeric_limits<std::uint32_t>::max();

// Calls visit(span) for every span of sentences [begin, end), by reference where the columns are not const.
template <class C, class Visit>
void for_each_span(C& columns, std::size_t begin, std::size_t end, Visit visit) {
    for (auto& field : columns.fields)
        for (std::size_t i = columns.sentences[begin]; i < columns.sentences[end]; ++i) visit(field[i]);
    for (std::size_t i = columns.comments.starts[begin]; i < columns.comments.starts[end]; ++i)
        visit(columns.comments.items[i]);
    for (auto* asides : {&columns.multiwords, &columns.empty_nodes})
        for (std::size_t i = asides->starts[begin]; i < asides->starts[end]; ++i) {
            for (auto& span : asides->items[i].fields) visit(span);
            visit(asides->items[i].head);
        }
    for (std::size_t i = begin; i < end; ++i) visit(columns.layouts[i].after);
}

template <class T>
void append_items(PerSentence<T>& to, const PerSentence<T>& from, std::size_t begin, std::size_t end) {
    const auto base = static_cast<std::uint32_t>(to.items.size()) - from.starts[begin];
    to.items.insert(to.items.end(), from.items.begin() + from.starts[begin], from.items.begin() + from.starts[end]);
    for (std::size_t s = begin; s < end; ++s) to.starts.push_back(from.starts[s + 1] + base);
}

// Copies everything but the bytes of sentences [begin, end); the spans still point into the bytes of `from`.
void append_rows(Columns& to, const Columns& from, std::size_t begin, std::size_t end) {
    const std::uint32_t first = from.sentences[begin], last = from.sentences[end];
    const auto base = static_cast<std::uint32_t>(to.words()) - first;
    for (std::size_t f = 0; f < field_count; ++f)
        to.fields[f].insert(to.fields[f].end(), from.fields[f].begin() + first, from.fields[f].begin() + last);
    to.heads.insert(to.heads.end(), from.heads.begin() + first, from.heads.begin() + last);
    for (std::size_t s = begin; s < end; ++s) to.sentences.push_back(from.sentences[s + 1] + base);
    append_items(to.comments, from.comments, begin, end);
    append_items(to.multiwords, from.multiwords, begin, end);
    append_items(to.empty_nodes, from.empty_nodes, begin, end);
    to.layouts.insert(to.layouts.end(), from.layouts.begin() + static_cast<std::ptrdiff_t>(begin),
                      from.layouts.begin() + static_cast<std::ptrdiff_t>(end));
}

bool ends_in_blank_line(std::string_view after) {
    return std::count(after.begin(), after.end(), '\n') >= 2;
}

}  // namespace

Span Columns::append(std::string_view text) {
    if (text.size() > largest_buffer - bytes.size())
        throw InputError("a document holds at most 4 GiB of text: read the file in batches", "");
    const Span span{static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(text.size())};
    bytes.append(text);
    return span;
}

void Columns::close_sentence(Layout layout) {
    sentences.push_back(static_cast<std::uint32_t>(words()));
    comments.close();
    multiwords.close();
    empty_nodes.close();
    layouts.push_back(layout);
}

void Columns::truncate(std::size_t sentence_count) {
    sentences.resize(sentence_count + 1);
    for (auto& field : fields) field.resize(sentences.back());
    heads.resize(sentences.back());
    starts.clear();
    ends.clear();
    comments.truncate(sentence_count);
    multiwords.truncate(sentence_count);
    empty_nodes.truncate(sentence_count);
    layouts.resize(sentence_count);
}

Columns slice(const Columns& columns, std::size_t begin, std::size_t end) {
    Columns result;
    append_rows(result, columns, begin, end);
    const std::size_t count = end - begin;
    if (begin == 0) result.lead = columns.lead;

    std::size_t low = largest_buffer, high = 0, total = 0;
    const auto measure = [&](const Span& span) {
        if (span.size == 0) return;
        low = std::min<std::size_t>(low, span.begin);
        high = std::max<std::size_t>(high, std::size_t{span.begin} + span.size);
        total += span.size;
    };
    for_each_span(result, 0, count, measure);
    measure(result.lead);
    if (total == 0) low = 0;

    // Sentences as they were read lie together: one copy. Columns that were written later lie far off: string by
    // string.
    if (high - low <= 2 * total + 4096) {
        result.bytes.assign(columns.bytes, low, high - low);
        const auto move = [low](Span& span) {
            span.begin = span.size == 0 ? 0 : static_cast<std::uint32_t>(span.begin - low);
        };
        for_each_span(result, 0, count, move);
        move(result.lead);
    } else {
        const auto move = [&](Span& span) { span = result.append(columns.view(span)); };
        for_each_span(result, 0, count, move);
        move(result.lead);
    }
    return result;
}

Columns concatenate(std::span<const Columns* const> parts) {
    Columns result;
    for (const Columns* part : parts) {
        const std::size_t before = result.sentence_count();
        const std::uint32_t base = result.append(part->bytes).begin;
        const auto move = [base](Span& span) { span.begin += base; };
        append_rows(result, *part, 0, part->sentence_count());
        for_each_span(result, before, result.sentence_count(), move);
        Span lead = part->lead;
        move(lead);
        if (before == 0) {
            if (lead.size > 0) result.lead = lead;
        } else if (part->sentence_count() > 0) {
            Layout& last = result.layouts[before - 1];
            if (last.exact && !ends_in_blank_line(result.view(last.after))) last.exact = false;
        }
    }
    return result;
}

void number_sentences(Columns& columns, std::uint64_t first) {
    PerSentence<Span> made;
    made.items.reserve(columns.comments.items.size() + columns.sentence_count());
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence) {
        const std::span<const Span> given = columns.comments[sentence];
        const auto opens = [&](Span line) { return columns.view(line).starts_with("# new"); };
        const auto begin = std::find_if_not(given.begin(), given.end(), opens);
        made.items.insert(made.items.end(), given.begin(), begin);
        made.items.push_back(columns.append("# sent_id = " + std::to_string(first + sentence)));
        made.items.insert(made.items.end(), begin, given.end());
        made.close();
    }
    columns.comments = std::move(made);
}

bool equal(const Columns& a, const Columns& b) {
    if (a.sentences != b.sentences || a.heads != b.heads || a.comments.starts != b.comments.starts ||
        a.multiwords.starts != b.multiwords.starts || a.empty_nodes.starts != b.empty_nodes.starts)
        return false;
    const auto same = [&](const Span& x, const Span& y) { return a.view(x) == b.view(y); };
    const auto same_aside = [&](const Aside& x, const Aside& y) {
        return x.first == y.first && x.second == y.second && same(x.head, y.head) &&
               std::equal(x.fields.begin(), x.fields.end(), y.fields.begin(), same);
    };
    for (std::size_t f = 0; f < field_count; ++f)
        if (!std::equal(a.fields[f].begin(), a.fields[f].end(), b.fields[f].begin(), same)) return false;
    return std::equal(a.comments.items.begin(), a.comments.items.end(), b.comments.items.begin(), same) &&
           std::equal(a.multiwords.items.begin(), a.multiwords.items.end(), b.multiwords.items.begin(), same_aside) &&
           std::equal(a.empty_nodes.items.begin(), a.empty_nodes.items.end(), b.empty_nodes.items.begin(), same_aside);
}

}  // namespace laconic::corpus
