#pragma once
// What the formats with one word a line share: the sentence loop of their readers, and of their writers.
//
// A format says how one line becomes a word; everything around it (line ends, blank lines, comments, faults, batches)
// is here.

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/seed.hpp"
#include "corpus/columns.hpp"
#include "corpus/lines.hpp"
#include "corpus/misc.hpp"
#include "corpus/tree.hpp"

namespace laconic::corpus {

// Strings that a reader makes up. They lie in a buffer of their own until the source is complete; equal ones are kept
// once.
class Made {
public:
    Span operator()(std::string_view text) {
        if (const auto known = spans_.find(text); known != spans_.end()) return known->second;
        const Span span{static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(text.size())};
        bytes_.append(text);
        spans_.emplace(text, span);
        return span;
    }
    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return static_cast<std::size_t>(hash_bytes(text, process_seed()));
        }
    };
    std::string bytes_;
    std::unordered_map<std::string, Span, Hash, std::equal_to<>> spans_;
};

// What a format sees of the reading.
struct Rows {
    std::string_view source;
    Faults& faults;
    Columns& columns;
    Made made;
    std::vector<Line> lines{};           // those of the words of the open sentence
    std::vector<std::size_t> head_at{};  // byte offset of the head in each of them

    // The span of a part of the source.
    [[nodiscard]] Span span(std::string_view text) const noexcept {
        return {static_cast<std::uint32_t>(text.data() - source.data()), static_cast<std::uint32_t>(text.size())};
    }
    void fault(std::string reason, const Line& line, std::string_view part) {
        faults.add(std::move(reason), line, static_cast<std::size_t>(part.data() - line.text.data()));
    }
    // Is the cell the id of the next word?
    void check_id(const Line& line, std::string_view id);
    // The head that a cell names, "_" for none.
    [[nodiscard]] std::int32_t head(const Line& line, std::string_view cell);
    // False, with a fault, where a cell is empty.
    bool none_empty(const Line& line, std::span<const std::string_view> cells, std::span<const char* const> names);
    void wrong_width(const Line& line, const std::string& expected, std::size_t found);
    void add(const Line& line, const std::array<Span, field_count>& fields, std::int32_t head, std::size_t head_offset);
    // The heads of the open sentence form a tree.
    void check_heads();
    [[nodiscard]] std::size_t first_word() const noexcept { return columns.sentences.back(); }
};

template <class F>
concept RowFormat = requires(F format, const Line& line, Rows& rows) {
    { format.separates(line) } -> std::same_as<bool>;     // the line ends a sentence, as a blank one does
    { format.comments(line) } -> std::same_as<bool>;      // the line is a comment
    format.read(line, rows);                              // the line is a word
    format.finish(rows);                                  // the sentence is complete; checks that need all of it
    { format.makes(Field::form) } -> std::same_as<bool>;  // the spans of this field point into `made`
};

// Reads whole sentences, at most as many as options.max_words allows, but one at least. Linear in the source.
template <RowFormat F>
class RowReader {
public:
    RowReader(std::string_view source, const ReadOptions& options, F& format)
        : options_(options),
          format_(format),
          faults_(options),
          lines_(source, options.first_line),
          rows_{.source = source, .faults = faults_, .columns = result_.columns, .made = {}} {}

    ReadResult run() {
        if (rows_.source.size() > std::numeric_limits<std::uint32_t>::max())
            throw InputError("more than 4 GiB at once: read the file in batches", options_.file);
        bool stopped = false;
        Line line;
        while (!stopped && lines_.next(line)) {
            if (line.begin == 0 && options_.first_line == 1 && line.text.starts_with(byte_order_mark)) {
                line.begin = byte_order_mark.size();
                line.text.remove_prefix(byte_order_mark.size());
            }
            if (line.blank() || format_.separates(line)) {
                if (open_)
                    stopped = end_sentence();
                else if (!line.blank() && result_.columns.sentence_count() == 0 && result_.skipped == 0)
                    faults_.add("a line of white space before the first sentence: expected an empty one", line);
                continue;
            }
            if (!open_) begin_sentence(line);
            read(line);
            content_end_ = line.begin + line.text.size();
        }
        if (open_ && !stopped) stopped = end_sentence();
        if (!stopped) {
            finish_layout(rows_.source.size());
            result_.consumed = rows_.source.size();
            result_.next_line = lines_.number();
        }
        join();
        result_.faults = faults_.take();
        return std::move(result_);
    }

private:
    void begin_sentence(const Line& line) {
        finish_layout(line.begin);
        open_ = true;
        first_ = line;
        faults_before_ = faults_.count();
        rows_.lines.clear();
        rows_.head_at.clear();
    }

    void read(const Line& line) {
        if (lines_.clean())
            faults_.check_length(line);
        else
            faults_.check_bytes(line);
        const bool last = lines_.offset() == rows_.source.size() && rows_.source.back() != '\n';
        if (line.crlf != first_.crlf && !last)
            faults_.add("this line ends otherwise than the first of its sentence: expected LF or CR LF throughout",
                        line, line.text.size());
        if (!format_.comments(line)) return format_.read(line, rows_);
        if (!rows_.lines.empty())
            return faults_.add("a comment among the words: expected comments before the first word", line);
        result_.columns.comments.items.push_back(rows_.span(line.text));
    }

    // Whether the batch is full, in which case this sentence is left for the next.
    bool end_sentence() {
        Columns& columns = result_.columns;
        open_ = false;
        if (faults_.count() == faults_before_ && rows_.lines.empty())
            faults_.add("a sentence without words: expected at least one", first_);
        if (faults_.count() == faults_before_) format_.finish(rows_);
        if (faults_.count() > faults_before_) {
            columns.truncate(columns.sentence_count());
            ++result_.skipped;
            return false;
        }
        if (columns.words() > options_.max_words && columns.sentence_count() > 0) {
            columns.truncate(columns.sentence_count());
            result_.consumed = first_.begin;
            result_.next_line = first_.number;
            return true;
        }
        columns.close_sentence({.crlf = first_.crlf});
        layout_pending_ = true;
        return false;
    }

    // What lies between the end of the last sentence, or the start of the source, and `here`. Lines of white space
    // would be faults in other formats, so that they are carried in the MISC of the last word.
    void finish_layout(std::size_t here) {
        Columns& columns = result_.columns;
        if (layout_pending_) {
            const std::string_view after = rows_.source.substr(content_end_, here - content_end_);
            if (after.find_first_not_of("\r\n") == std::string_view::npos) {
                columns.layouts.back().after = rows_.span(after);
                columns.layouts.back().exact = true;
            } else {
                Span& misc = columns[Field::misc].back();
                std::string text = rows_.made.bytes().substr(misc.begin, misc.size);
                if (text == "_") text.clear();
                add_entry(text, "After", after);
                misc = rows_.made(text);
            }
            layout_pending_ = false;
        } else if (columns.sentence_count() == 0 && result_.skipped == 0) {
            std::string_view lead = rows_.source.substr(0, here);
            const std::size_t from = lead.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
            if (lead.find_first_not_of("\r\n", from) == std::string_view::npos) columns.lead = rows_.span(lead);
        }
    }

    // The made strings go behind the source.
    void join() {
        Columns& columns = result_.columns;
        columns.bytes.assign(rows_.source.substr(0, result_.consumed));
        const std::uint32_t base = columns.append(rows_.made.bytes()).begin;
        for (std::size_t f = 0; f < field_count; ++f)
            if (format_.makes(static_cast<Field>(f)))
                for (Span& span : columns.fields[f]) span.begin += base;
        // An empty form, which only some formats have, is "_" everywhere else.
        for (Span& span : columns[Field::form])
            if (span.size == 0) span = columns.append("_");
    }

    const ReadOptions& options_;
    F& format_;
    ReadResult result_;
    Faults faults_;
    Lines lines_;
    Rows rows_;
    bool open_ = false;
    bool layout_pending_ = false;
    Line first_{};
    std::size_t faults_before_ = 0;
    std::size_t content_end_ = 0;
};

// What a format could not hold: what, and how often.
using Losses = std::vector<std::pair<std::string, std::uint64_t>>;

struct Written {
    std::string bytes;
    Losses losses;
};

void lose(Losses& losses, const char* what, std::uint64_t count = 1);

// Writes all sentences. `begin(sentence)` is called before the lines of each; `row(word, id, out)` appends the line of
// one word and returns what stands after its sentence, if the MISC column carries that. Comments are written as they
// are if `keeps(comment)` is true.
template <class Keeps, class Begin, class Row>
void write_rows(const Columns& columns, Keeps&& keeps, Begin&& begin, Row&& row, Written& written) {
    std::string& out = written.bytes;
    out.append(columns.view(columns.lead));
    for (std::size_t s = 0; s < columns.sentence_count(); ++s) {
        const Layout& layout = columns.layouts[s];
        const std::string_view end = layout.crlf ? "\r\n" : "\n";
        lose(written.losses, "multiword tokens", columns.multiwords[s].size());
        lose(written.losses, "empty nodes", columns.empty_nodes[s].size());
        for (const Span comment : columns.comments[s]) {
            if (keeps(columns.view(comment)))
                out.append(columns.view(comment)).append(end);
            else
                lose(written.losses, "comments");
        }
        begin(s);
        std::string after;
        for (std::uint32_t i = columns.sentences[s]; i < columns.sentences[s + 1]; ++i) {
            if (i > columns.sentences[s]) out.append(end);
            after = row(i, i - columns.sentences[s] + 1, out);
        }
        if (!after.empty())
            out.append(after);
        else if (layout.exact)
            out.append(columns.view(layout.after));
        else
            out.append(end).append(end);
    }
}

}  // namespace laconic::corpus
