#pragma once
// What all formats of lines share: cutting a source into lines, checking their bytes, and keeping account of faults.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/columns.hpp"

namespace laconic::corpus {

// Longer lines are refused: a file without line ends must not be taken for one word.
inline constexpr std::size_t longest_line = std::size_t{4} << 20;

// At the start of a file it belongs to no word.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Throws InputError where a writer has made a line that the readers would refuse. Linear.
void check_written(std::string_view bytes);

// A batch also ends when it has that many faults: their account must not outgrow memory either.
inline constexpr std::size_t many_faults = 10'000;

// Offset of the first byte that does not belong to well-formed UTF-8; the size where all is well. Linear.
[[nodiscard]] std::size_t first_invalid_utf8(std::string_view bytes) noexcept;

// Number of code points in well-formed UTF-8.
[[nodiscard]] std::size_t count_characters(std::string_view utf8) noexcept;

// A piece of the input for a message: in quotation marks, cut short, with bytes that are not text as \\xNN.
[[nodiscard]] std::string quote(std::string_view bytes);

struct Fault {
    std::string reason;
    std::uint64_t line = 0;    // from 1
    std::uint64_t column = 0;  // in characters, from 1
};

struct Line {
    std::string_view text;     // without its end
    std::size_t begin = 0;     // offset in the source
    std::uint64_t number = 0;  // from 1
    bool crlf = false;

    [[nodiscard]] bool blank() const noexcept { return text.empty(); }
};

struct ReadOptions {
    std::string file;              // as errors name it
    std::uint64_t first_line = 1;  // number of the first line of the source
    bool lenient = false;          // collect faults and skip their sentences; else the first fault is thrown
    std::uint64_t max_words = std::numeric_limits<std::uint64_t>::max();  // stop before the sentence that exceeds it
    bool content = false;  // tell also of what is read as it is, but should not be there (CoNLL-U: conllu_check.hpp)

    [[nodiscard]] bool limited() const noexcept { return max_words != std::numeric_limits<std::uint64_t>::max(); }
};

struct ReadResult {
    Columns columns;
    std::vector<Fault> faults;    // empty unless lenient
    std::uint64_t skipped = 0;    // sentences left out because of a fault
    std::size_t consumed = 0;     // bytes of the source that were read: less than all only because of max_words
    std::uint64_t next_line = 1;  // number of the line after those that were read
};

// The account of faults of one reading. Strict: the first fault is thrown as InputError. Lenient: all are kept.
class Faults {
public:
    explicit Faults(const ReadOptions& options) : options_(options) {}

    // A fault at the byte `offset` of the line.
    void add(std::string reason, const Line& line, std::size_t offset = 0);
    // Adds what is wrong with the bytes of a line: too long, not UTF-8, a NUL, a carriage return that ends no line.
    void check_bytes(const Line& line);
    bool check_length(const Line& line);

    [[nodiscard]] std::size_t count() const noexcept { return list_.size(); }
    void truncate(std::size_t count) { list_.resize(count); }
    // Sorts those from `begin` on by line and column.
    void sort_from(std::size_t begin);
    [[nodiscard]] std::vector<Fault> take() noexcept { return std::move(list_); }

private:
    const ReadOptions& options_;
    std::vector<Fault> list_;
};

// Cuts a source into lines at LF or CR LF. Looks a stretch ahead, so that it is known of most lines without a look at
// each that their bytes need no check. Only what is read is looked at: many batches from one source cost no more.
class Lines {
public:
    Lines(std::string_view source, std::uint64_t first_line) noexcept : source_(source), number_(first_line) {}

    // The next line into `line`; false at the end. A last line without an end counts; nothing after a last LF does not.
    bool next(Line& line) noexcept;
    // Is every byte of the last line harmless, so that Faults::check_length is all that is needed?
    [[nodiscard]] bool clean() const noexcept { return clean_; }
    // Offset of the next line.
    [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

private:
    void look_ahead() noexcept;

    std::string_view source_;
    std::size_t offset_ = 0;
    std::uint64_t number_;
    std::size_t checked_ = 0;  // end of the stretch that was looked at
    bool clean_ = true;        // that stretch
};

// Splits at tabs into at most `out.size()` fields; returns how many there are in the line, which may be more.
[[nodiscard]] std::size_t split_tabs(std::string_view line, std::span<std::string_view> out) noexcept;

// A number as it is written canonically (no sign, no leading zero); false where it is not one or exceeds 2^31 - 1.
[[nodiscard]] bool parse_number(std::string_view text, std::int32_t& number) noexcept;

}  // namespace laconic::corpus
