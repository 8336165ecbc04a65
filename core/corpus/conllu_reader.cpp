#include "corpus/conllu_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "corpus/conllu_check.hpp"
#include "corpus/tree.hpp"

namespace laconic::corpus {

namespace {

constexpr std::size_t width = 10;  // ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
constexpr std::size_t head_column = 6;
constexpr std::array<const char*, width> column_names{"ID",    "FORM", "LEMMA",  "UPOS", "XPOS",
                                                      "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};

class Reader {
public:
    Reader(std::string_view source, const ReadOptions& options)
        : source_(source), options_(options), faults_(options), lines_(source, options.first_line) {}

    ReadResult run();

private:
    void begin_sentence(const Line& line);
    void end_sentence();
    void finish_layout(std::size_t here);
    void read_line(const Line& line);
    void read_comment(const Line& line);
    void read_word(const Line& line, std::int32_t id);
    void read_multiword(const Line& line, std::size_t dash);
    void read_empty_node(const Line& line, std::size_t dot);
    bool split(const Line& line);
    void check_words(const Line& first);
    bool full();
    void stop_at(std::size_t sentence, std::size_t offset, std::uint64_t line);
    void fault_at_word(std::string reason, std::size_t word, std::size_t column);

    [[nodiscard]] Span span(std::string_view text) const noexcept {
        return {static_cast<std::uint32_t>(text.data() - source_.data()), static_cast<std::uint32_t>(text.size())};
    }
    [[nodiscard]] std::size_t offset_in(const Line& line, std::string_view part) const noexcept {
        return static_cast<std::size_t>(part.data() - line.text.data());
    }

    std::string_view source_;
    const ReadOptions& options_;
    Faults faults_;
    Lines lines_;
    ReadResult result_;
    Columns& columns_ = result_.columns;
    std::array<std::string_view, width> cells_{};

    // The sentence being read.
    bool open_ = false;
    Line first_line_{};
    std::size_t faults_before_ = 0;
    std::size_t content_end_ = 0;   // where the last line of the last sentence ended, without its line end
    bool layout_pending_ = false;   // the last sentence waits for what follows it
    std::int32_t next_id_ = 1;      // of the next word
    std::int32_t next_minor_ = 1;   // of the next empty node at this place
    std::int32_t range_first_ = 0;  // the last multiword token
    std::int32_t range_last_ = 0;
    std::uint64_t range_line_ = 0;

    // The last `# newdoc` of this batch: a better place to stop.
    struct Boundary {
        std::size_t sentence = 0, offset = 0, faults = 0;
        std::uint64_t line = 0, skipped = 0;
    } document_;
    bool newdoc_ = false;
};

ReadResult Reader::run() {
    if (source_.size() > std::numeric_limits<std::uint32_t>::max())
        throw InputError("more than 4 GiB at once: read the file in batches", options_.file);
    const std::size_t guess =
        static_cast<std::size_t>(std::min<std::uint64_t>(source_.size() / 40, options_.max_words)) + 1;
    for (auto& field : columns_.fields) field.reserve(guess);
    columns_.heads.reserve(guess);

    const bool marked = options_.first_line == 1 && source_.starts_with(byte_order_mark);
    bool stopped = false;
    Line line;
    while (!stopped && lines_.next(line)) {
        if (marked && line.begin == 0) {
            line.begin = byte_order_mark.size();
            line.text.remove_prefix(byte_order_mark.size());
        }
        if (line.blank()) {
            if (open_) {
                end_sentence();
                stopped = full();
            }
            continue;
        }
        if (!open_) begin_sentence(line);
        read_line(line);
        content_end_ = line.begin + line.text.size();
    }
    if (open_) {
        end_sentence();
        stopped = full();
    }
    if (!stopped) {
        finish_layout(source_.size());
        result_.consumed = source_.size();
        result_.next_line = lines_.number();
    }
    columns_.bytes.assign(source_.substr(0, result_.consumed));
    result_.faults = faults_.take();
    return std::move(result_);
}

void Reader::begin_sentence(const Line& line) {
    finish_layout(line.begin);
    open_ = true;
    first_line_ = line;
    faults_before_ = faults_.count();
    next_id_ = next_minor_ = 1;
    range_first_ = range_last_ = 0;
    newdoc_ = false;
}

void Reader::end_sentence() {
    open_ = false;
    const std::size_t sentence = columns_.sentence_count();
    if (faults_.count() == faults_before_) check_words(first_line_);
    if (options_.content) {
        const std::string_view lines = source_.substr(first_line_.begin, content_end_ - first_line_.begin);
        check_content(lines, first_line_.number, faults_.count() == faults_before_, faults_);
        faults_.sort_from(faults_before_);
    }
    if (faults_.count() > faults_before_) {
        columns_.truncate(sentence);
        ++result_.skipped;
        return;
    }
    columns_.close_sentence({.crlf = first_line_.crlf});
    layout_pending_ = true;
    if (newdoc_ && sentence > 0)
        document_ = {sentence, first_line_.begin, faults_before_, first_line_.number, result_.skipped};
}

// What lies between the end of the last sentence, or the start of the source, and `here`.
void Reader::finish_layout(std::size_t here) {
    if (layout_pending_) {
        Layout& layout = columns_.layouts.back();
        layout.after = span(source_.substr(content_end_, here - content_end_));
        layout.exact = true;
        layout_pending_ = false;
    } else if (columns_.sentence_count() == 0 && result_.skipped == 0) {
        columns_.lead = span(source_.substr(0, here));
    }
}

bool Reader::full() {
    if (options_.limited() && faults_.count() >= many_faults) {
        result_.consumed = lines_.offset();
        result_.next_line = lines_.number();
        finish_layout(result_.consumed);
        return true;
    }
    if (columns_.words() <= options_.max_words || columns_.sentence_count() < 2) return false;
    layout_pending_ = false;
    if (document_.sentence > 0 && columns_.sentences[document_.sentence] >= options_.max_words / 2) {
        faults_.truncate(document_.faults);
        result_.skipped = document_.skipped;
        stop_at(document_.sentence, document_.offset, document_.line);
    } else {
        stop_at(columns_.sentence_count() - 1, first_line_.begin, first_line_.number);
    }
    return true;
}

void Reader::stop_at(std::size_t sentence, std::size_t offset, std::uint64_t line) {
    columns_.truncate(sentence);
    result_.consumed = offset;
    result_.next_line = line;
}

void Reader::read_line(const Line& line) {
    if (lines_.clean())
        faults_.check_length(line);
    else
        faults_.check_bytes(line);
    const bool last = lines_.offset() == source_.size();
    if (line.crlf != first_line_.crlf && !(last && source_.back() != '\n'))
        faults_.add("this line ends otherwise than the first of its sentence: expected LF or CR LF throughout", line,
                    line.text.size());
    if (line.text[0] == '#') return read_comment(line);
    if (!split(line)) return;
    const std::string_view id = cells_[0];
    if (std::int32_t number; parse_number(id, number)) return read_word(line, number);
    if (const std::size_t dash = id.find('-'); dash != std::string_view::npos) return read_multiword(line, dash);
    if (const std::size_t dot = id.find('.'); dot != std::string_view::npos) return read_empty_node(line, dot);
    faults_.add("the id is " + quote(id) + ": expected " + std::to_string(next_id_), line);
}

void Reader::read_comment(const Line& line) {
    if (next_id_ > 1 || range_first_ > 0 || next_minor_ > 1)
        return faults_.add("a comment among the words: expected comments before the first word", line);
    columns_.comments.items.push_back(span(line.text));
    std::string_view value;
    newdoc_ = newdoc_ || comment_value(line.text, "newdoc", value);
}

bool Reader::split(const Line& line) {
    const std::size_t count = split_tabs(line.text, cells_);
    if (count != width) {
        if (line.text.find_first_not_of(" \t") == std::string_view::npos) {
            faults_.add("a line of white space: expected an empty line between sentences", line);
            return false;
        }
        const bool cut = lines_.offset() == source_.size() && count < width;
        faults_.add("expected 10 fields with tabs between them, found " + std::to_string(count) +
                        (cut ? ", and the input ends here: is it truncated?" : ""),
                    line,
                    count < width ? line.text.size() : offset_in(line, cells_[width - 1]) + cells_[width - 1].size());
        return false;
    }
    for (std::size_t c = 0; c < width; ++c)
        if (cells_[c].empty()) {
            faults_.add(std::string(column_names[c]) + " is empty: expected a value or _", line,
                        offset_in(line, cells_[c]));
            return false;
        }
    return true;
}

void Reader::read_word(const Line& line, std::int32_t id) {
    if (id != next_id_)
        faults_.add("the id " + std::to_string(id) + " is out of order: expected " + std::to_string(next_id_), line);
    next_id_ = id == std::numeric_limits<std::int32_t>::max() ? id : id + 1;
    next_minor_ = 1;
    std::int32_t head = no_head;
    if (cells_[head_column] != "_" && !parse_number(cells_[head_column], head))
        faults_.add(
            "HEAD is " + quote(cells_[head_column]) + ": expected a word's id, 0 or _ (written without leading zeros)",
            line, offset_in(line, cells_[head_column]));
    columns_.heads.push_back(head);
    for (std::size_t f = 0; f < 5; ++f) columns_.fields[f].push_back(span(cells_[f + 1]));
    for (std::size_t f = 5; f < field_count; ++f) columns_.fields[f].push_back(span(cells_[f + 2]));
}

void Reader::read_multiword(const Line& line, std::size_t dash) {
    const std::string_view id = cells_[0];
    const std::string shown = quote(id);
    std::int32_t first = 0, last = 0;
    if (!parse_number(id.substr(0, dash), first) || !parse_number(id.substr(dash + 1), last) || first == 0)
        return faults_.add("the id " + shown + " is no range: expected one such as 3-4", line);
    if (last < first) return faults_.add("the range " + shown + " runs backwards", line);
    if (first <= range_last_)
        return faults_.add(
            "the range " + shown + " overlaps with " + std::to_string(range_first_) + "-" + std::to_string(range_last_),
            line);
    if (first != next_id_)
        return faults_.add("the range " + shown + " is out of order: expected it before word " + std::to_string(first) +
                               ", found it before word " + std::to_string(next_id_),
                           line);
    range_first_ = first;
    range_last_ = last;
    range_line_ = line.number;
    Aside token{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
    for (std::size_t f = 0; f < field_count; ++f) token.fields[f] = span(cells_[f < 5 ? f + 1 : f + 2]);
    token.head = span(cells_[head_column]);
    columns_.multiwords.items.push_back(token);
}

void Reader::read_empty_node(const Line& line, std::size_t dot) {
    const std::string_view id = cells_[0];
    const std::string shown = quote(id);
    std::int32_t major = 0, minor = 0;
    if (!parse_number(id.substr(0, dot), major) || !parse_number(id.substr(dot + 1), minor) || minor == 0)
        return faults_.add("the id " + shown + " is no empty node: expected one such as 3.1", line);
    if (range_first_ == next_id_)
        return faults_.add("the empty node " + shown + " stands between a multiword token and its first word", line);
    if (major != next_id_ - 1 || minor != next_minor_)
        return faults_.add("the empty node " + shown + " is out of order: expected " + std::to_string(next_id_ - 1) +
                               "." + std::to_string(next_minor_),
                           line);
    ++next_minor_;
    Aside node{static_cast<std::uint32_t>(major), static_cast<std::uint32_t>(minor)};
    for (std::size_t f = 0; f < field_count; ++f) node.fields[f] = span(cells_[f < 5 ? f + 1 : f + 2]);
    node.head = span(cells_[head_column]);
    columns_.empty_nodes.items.push_back(node);
}

// What can be said only when the whole sentence is known.
void Reader::check_words(const Line& first) {
    const std::size_t begin = columns_.sentences.back(), count = columns_.words() - begin;
    if (count == 0) return faults_.add("a sentence without words: expected a line with the id 1", first);
    if (static_cast<std::size_t>(range_last_) > count) {
        Line line;
        line.number = range_line_;
        return faults_.add("the range " + std::to_string(range_first_) + "-" + std::to_string(range_last_) +
                               " goes beyond the last word, " + std::to_string(count),
                           line);
    }
    TreeFault fault = check_tree({columns_.heads.data() + begin, count});
    if (!fault.reason.empty()) fault_at_word(std::move(fault.reason), fault.word, head_column);
}

// Places are looked up only when they are needed: the sentence is read again up to the word.
void Reader::fault_at_word(std::string reason, std::size_t word, std::size_t column) {
    Lines again(source_.substr(first_line_.begin, content_end_ - first_line_.begin), first_line_.number);
    Line line;
    while (again.next(line)) {
        std::int32_t id = 0;
        if (line.text[0] == '#' || split_tabs(line.text, cells_) != width || !parse_number(cells_[0], id)) continue;
        if (static_cast<std::size_t>(id) == word + 1) break;
    }
    faults_.add(std::move(reason), line, offset_in(line, cells_[column]));
}

}  // namespace

ReadResult read_conllu(std::string_view source, const ReadOptions& options) {
    return Reader(source, options).run();
}

ReadResult check_conllu(std::string_view source, ReadOptions options) {
    options.content = true;
    return Reader(source, options).run();
}

bool comment_value(std::string_view comment, std::string_view key, std::string_view& value) noexcept {
    const auto trim = [](std::string_view text) {
        const std::size_t begin = text.find_first_not_of(" \t");
        return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
    };
    if (!comment.starts_with('#')) return false;
    std::string_view rest = trim(comment.substr(1));
    if (!rest.starts_with(key)) return false;
    rest.remove_prefix(key.size());
    if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '=') return false;
    rest = trim(rest);
    if (rest.starts_with('=')) {
        rest.remove_prefix(1);
        if (rest.starts_with(' ')) rest.remove_prefix(1);
    }
    value = rest;
    return true;
}

}  // namespace laconic::corpus
