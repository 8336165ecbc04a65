#include "corpus/conllu_writer.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "corpus/tree.hpp"

namespace laconic::corpus {

namespace {

std::size_t digits(std::uint32_t number) noexcept {
    std::size_t count = 1;
    for (; number >= 10; number /= 10) ++count;
    return count;
}

// Counts what Ink would write.
struct Measure {
    std::size_t size = 0;
    void put(char) noexcept { ++size; }
    void put(std::string_view text) noexcept { size += text.size(); }
    void number(std::uint32_t value) noexcept { size += digits(value); }
};

// Writes into a buffer that was measured. Should the columns have been changed from another thread meanwhile, it stops
// at the end of the buffer.
struct Ink {
    char* out;
    char* end;
    void put(char c) {
        if (out == end) changed();
        *out++ = c;
    }
    void put(std::string_view text) {
        if (text.size() > static_cast<std::size_t>(end - out)) changed();
        std::copy(text.begin(), text.end(), out);
        out += text.size();
    }
    void number(std::uint32_t value) {
        const std::to_chars_result result = std::to_chars(out, end, value);
        if (result.ec != std::errc{}) changed();
        out = result.ptr;
    }
    [[noreturn]] static void changed() { throw std::runtime_error("the document was changed while it was written"); }
};

template <class Sink>
class Writer {
public:
    Writer(const Columns& columns, Sink& sink, bool exact) : columns_(columns), sink_(sink), exact_(exact) {}

    void run() {
        if (exact_) sink_.put(columns_.view(columns_.lead));
        for (std::size_t s = 0; s < columns_.sentence_count(); ++s) sentence(s);
    }

private:
    void sentence(std::size_t s) {
        const Layout layout = exact_ ? columns_.layouts[s] : Layout{};
        end_ = layout.crlf ? std::string_view("\r\n") : std::string_view("\n");
        first_ = true;
        for (const Span comment : columns_.comments[s]) {
            end_line();
            sink_.put(columns_.view(comment));
        }
        const auto multiwords = columns_.multiwords[s];
        const auto empty_nodes = columns_.empty_nodes[s];
        auto multiword = multiwords.begin();
        auto empty_node = empty_nodes.begin();
        const std::uint32_t begin = columns_.sentences[s], count = columns_.sentences[s + 1] - begin;
        for (std::uint32_t id = 0; id <= count; ++id) {
            if (id > 0) word(id, begin + id - 1);
            for (; empty_node != empty_nodes.end() && empty_node->first == id; ++empty_node) aside(*empty_node, '.');
            for (; multiword != multiwords.end() && multiword->first == id + 1; ++multiword) aside(*multiword, '-');
        }
        if (layout.exact) {
            sink_.put(columns_.view(layout.after));
        } else {
            sink_.put(end_);
            sink_.put(end_);
        }
    }

    void end_line() {
        if (!first_) sink_.put(end_);
        first_ = false;
    }

    void word(std::uint32_t id, std::size_t i) {
        end_line();
        sink_.number(id);
        const auto span = [&](std::size_t f) { return columns_.fields[f][i]; };
        cells(span, 0, 5);
        sink_.put('\t');
        if (const std::int32_t head = columns_.heads[i]; head == no_head)
            sink_.put('_');
        else
            sink_.number(static_cast<std::uint32_t>(head));
        cells(span, 5, field_count);
    }

    void aside(const Aside& aside, char joint) {
        end_line();
        sink_.number(aside.first);
        sink_.put(joint);
        sink_.number(aside.second);
        const auto span = [&](std::size_t f) { return aside.fields[f]; };
        cells(span, 0, 5);
        sink_.put('\t');
        sink_.put(columns_.view(aside.head));
        cells(span, 5, field_count);
    }

    // Fields [begin, end), each after a tab. Neighbours in the buffer with a tab between them are one run.
    template <class SpanOf>
    void cells(SpanOf span_of, std::size_t begin, std::size_t end) {
        Span run = span_of(begin);
        for (std::size_t f = begin + 1; f < end; ++f) {
            const Span span = span_of(f);
            const std::uint32_t run_end = run.begin + run.size;
            if (span.begin == run_end + 1 && columns_.bytes[run_end] == '\t') {
                run.size += 1 + span.size;
            } else {
                sink_.put('\t');
                sink_.put(columns_.view(run));
                run = span;
            }
        }
        sink_.put('\t');
        sink_.put(columns_.view(run));
    }

    const Columns& columns_;
    Sink& sink_;
    bool exact_;
    std::string_view end_ = "\n";
    bool first_ = true;
};

}  // namespace

void check_heads(const Columns& columns) {
    const std::vector<std::int32_t> all = columns.heads;  // Python may write to doc.heads meanwhile
    for (std::size_t s = 0; s < columns.sentence_count(); ++s) {
        const TreeFault fault = check_tree(std::span(all).subspan(columns.sentences[s], columns.size_of(s)));
        if (!fault.reason.empty())
            throw std::invalid_argument("sentences[" + std::to_string(s) + "], word " + std::to_string(fault.word + 1) +
                                        ": " + fault.reason);
    }
}

std::size_t conllu_size(const Columns& columns, bool exact) {
    Measure measure;
    Writer<Measure>(columns, measure, exact).run();
    return measure.size;
}

void write_conllu(const Columns& columns, std::span<char> out, bool exact) {
    Ink ink{out.data(), out.data() + out.size()};
    Writer<Ink>(columns, ink, exact).run();
    if (ink.out != ink.end) Ink::changed();
}

std::string to_conllu(const Columns& columns) {
    std::string result(conllu_size(columns), '\0');
    write_conllu(columns, result);
    return result;
}

}  // namespace laconic::corpus
