// CoNLL-U: what is read is written back byte for byte; batches together are the whole; every tool of the columns works
// on whatever the reader lets through.

#include <vector>

#include "base/error.hpp"
#include "bytes.hpp"
#include "corpus/codes.hpp"
#include "corpus/conllu_reader.hpp"
#include "corpus/conllu_writer.hpp"
#include "corpus/offsets.hpp"
#include "corpus/projectivity.hpp"

using namespace laconic;
using namespace laconic::corpus;
using fuzz::expect;

namespace {

void use(const Columns& columns) {
    const Located located = locate(columns);
    expect(located.starts.size() == columns.words(), "every word has an offset");
    const auto length = static_cast<std::int32_t>(count_characters(located.text));
    for (std::size_t i = 0; i < columns.words(); ++i)
        expect(located.starts[i] <= located.ends[i] && located.ends[i] <= length, "offsets lie in the text");
    for (std::size_t f = 0; f < field_count; ++f) {
        const auto field = static_cast<Field>(f);
        const Codes codes = factorise(columns, field);
        for (std::size_t i = 0; i < columns.words(); ++i)
            expect(columns.view(codes.values[static_cast<std::size_t>(codes.codes[i])]) == columns.view(field, i),
                   "codes stand for the strings");
    }
    check_heads(columns);
    for (std::size_t s = 0; s < columns.sentence_count(); ++s) {
        std::vector<std::int32_t> heads(columns.heads_of(s).begin(), columns.heads_of(s).end());
        if (heads[0] == no_head || heads.size() > 200) continue;
        lift(heads, {});
        expect(is_projective(heads), "lifting makes a sentence projective");
    }
    const std::size_t half = columns.sentence_count() / 2;
    const Columns parts[] = {slice(columns, 0, half), slice(columns, half, columns.sentence_count())};
    const Columns* both[] = {&parts[0], &parts[1]};
    expect(equal(concatenate(both), columns), "two halves are the whole");
}

void check_batches(std::string_view source, const ReadResult& whole, std::uint64_t words) {
    std::vector<Columns> parts;
    std::uint64_t line = 1;
    for (std::size_t begin = 0; begin < source.size();) {
        ReadResult part = read_conllu(source.substr(begin), {.file = "", .first_line = line, .max_words = words});
        expect(part.consumed > 0, "a batch consumes something");
        begin += part.consumed;
        line = part.next_line;
        parts.push_back(std::move(part.columns));
    }
    std::vector<const Columns*> pointers;
    for (const Columns& part : parts) pointers.push_back(&part);
    expect(equal(concatenate(pointers), whole.columns), "batches together are the whole");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    const ReadResult lenient = read_conllu(source, {.file = "fuzz", .lenient = true});
    expect(lenient.consumed == size, "without a limit all is read");
    expect((lenient.skipped == 0) == lenient.faults.empty(), "sentences are skipped because of faults");
    const ReadResult checked = check_conllu(source, {.file = "fuzz", .lenient = true});
    expect(checked.faults.size() >= lenient.faults.size(), "checking finds what reading finds, and more");
    for (const Fault& fault : checked.faults)
        expect(fault.line > 0 && fault.column > 0 && !fault.reason.empty() &&
                   first_invalid_utf8(fault.reason) == fault.reason.size(),
               "a fault says where and why, in UTF-8");
    use(lenient.columns);
    const std::string kept = to_conllu(lenient.columns);
    const ReadResult again = read_conllu(kept, {.file = "fuzz"});
    expect(equal(again.columns, lenient.columns), "what was kept can be read again");
    expect(to_conllu(again.columns) == kept, "writing what was written changes nothing");
    try {
        const ReadResult strict = read_conllu(source, {.file = "fuzz"});
        expect(lenient.faults.empty(), "strict reading raises the faults that lenient reading keeps");
        expect(kept == source, "what is read is written back byte for byte");
        check_batches(source, strict, 1 + size % 7);
    } catch (const InputError& error) {
        expect(!lenient.faults.empty() && lenient.faults[0].reason == error.what() &&
                   lenient.faults[0].line == error.line && lenient.faults[0].column == error.column,
               "the error is the first fault");
    }
    return 0;
}
