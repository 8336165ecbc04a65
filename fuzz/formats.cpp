// The other formats of lines. What is read comes back byte for byte; it fits into CoNLL-U; and what a writer makes of
// any CoNLL-U, its reader takes.

#include <stdexcept>

#include "base/error.hpp"
#include "bytes.hpp"
#include "corpus/conll2009.hpp"
#include "corpus/conllu_reader.hpp"
#include "corpus/conllu_writer.hpp"
#include "corpus/conllx.hpp"
#include "corpus/iob.hpp"

using namespace laconic;
using namespace laconic::corpus;
using fuzz::expect;

namespace {

const IobMap& map_of(unsigned choice) {
    static const IobMap maps[] = {
        {{"form", "entity"}, '\t', Scheme::bio},
        {{"id", "form", "entity", "-", "-"}, '\t', Scheme::bilou},
        {{"form", "xpos", "-", "entity"}, ' ', Scheme::iob1},
        {{"-", "entity", "form", "lemma", "upos"}, '\t', Scheme::bioes},
        {{"id", "entity", "form"}, ' ', Scheme::bio},
    };
    return maps[choice % std::size(maps)];
}

struct Format {
    unsigned choice;

    ReadResult read(std::string_view source, const ReadOptions& options) const {
        switch (choice % 8) {
            case 0:
                return read_conllx(source, options);
            case 1:
                return read_conll2008(source, options);
            case 2:
                return read_conll2009(source, options);
            default:
                return read_iob(source, options, map_of(choice % 8 - 3));
        }
    }
    Written write(const Columns& columns) const {
        switch (choice % 8) {
            case 0:
                return write_conllx(columns);
            case 1:
                return write_conll2008(columns);
            case 2:
                return write_conll2009(columns);
            default:
                return write_iob(columns, map_of(choice % 8 - 3));
        }
    }
};

void read_and_write(const Format& format, std::string_view source) {
    const ReadResult lenient = format.read(source, {.file = "fuzz", .lenient = true});
    expect(lenient.consumed == source.size(), "without a limit all is read");
    for (const Fault& fault : lenient.faults)
        expect(fault.line > 0 && fault.column > 0 && first_invalid_utf8(fault.reason) == fault.reason.size(),
               "a fault says where and why, in UTF-8");
    const std::string conllu = to_conllu(lenient.columns);
    const ReadResult inside = read_conllu(conllu, {.file = "fuzz"});
    expect(equal(inside.columns, lenient.columns), "every format fits into CoNLL-U");
    Written kept;
    try {
        kept = format.write(inside.columns);
        expect(kept.losses.empty(), "nothing is lost on the way through CoNLL-U and back");
    } catch (const std::invalid_argument&) {
        // A byte order mark inside a file is part of a word; lines left out as faulty may bring that word to the front.
        expect(!lenient.faults.empty(), "what is read without a fault can be written");
    }
    try {
        (void)format.read(source, {.file = "fuzz"});
        expect(lenient.faults.empty(), "strict reading raises the faults that lenient reading keeps");
        expect(kept.bytes == source, "what is read is written back byte for byte");
    } catch (const InputError& error) {
        expect(!lenient.faults.empty() && lenient.faults[0].reason == error.what(), "the error is the first fault");
    }
}

void write_and_read(const Format& format, std::string_view source) {
    const ReadResult conllu = read_conllu(source, {.file = "fuzz", .lenient = true});
    std::string first;
    try {
        first = format.write(conllu.columns).bytes;
    } catch (const std::invalid_argument&) {
        return;  // says that a value cannot be written
    }
    const ReadResult again = format.read(first, {.file = "written"});
    expect(again.columns.sentences == conllu.columns.sentences, "what is written is read with the same words");
    expect(format.write(again.columns).bytes == first, "writing what was written changes nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Format format{data[0]};
    const std::string_view source(reinterpret_cast<const char*>(data + 1), size - 1);
    if ((data[0] & 0x10) == 0)
        read_and_write(format, source);
    else
        write_and_read(format, source);
    return 0;
}
