// The segmenter: whatever is learned about places and words, any text becomes a document from which it can be rebuilt
// byte for byte, that CoNLL-U holds, and whose offsets are right.

#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "bytes.hpp"
#include "corpus/conllu_reader.hpp"
#include "corpus/conllu_writer.hpp"
#include "corpus/lines.hpp"
#include "corpus/offsets.hpp"
#include "features/codes.hpp"
#include "text/boundaries.hpp"
#include "text/document.hpp"
#include "text/keep.hpp"

using namespace laconic;
using namespace laconic::text;
using fuzz::expect;

namespace {

using features::Attribute;
using features::Node;

features::Plan all_slots() {
    std::vector<features::Slot> slots;
    const auto add = [&](Node node, Attribute attribute, int index) {
        features::Slot slot;
        slot.node = static_cast<std::uint8_t>(node);
        slot.attribute = static_cast<std::uint8_t>(attribute);
        slot.index = static_cast<std::int16_t>(index);
        slots.push_back(slot);
    };
    for (const Attribute attribute : {Attribute::character, Attribute::lower, Attribute::cls, Attribute::script})
        for (const int index : {-32, -2, -1, 0, 1, 2, 32}) add(Node::character, attribute, index);
    for (const int index : {-8, -1}) add(Node::character, Attribute::tag, index);
    for (const Attribute attribute : {Attribute::gap, Attribute::length, Attribute::quote, Attribute::bracket})
        add(Node::state, attribute, 0);
    for (const Attribute attribute : {Attribute::lower, Attribute::shape, Attribute::length, Attribute::word_casing}) {
        for (const int index : {-2, -1, 0}) add(Node::token, attribute, index);
        for (const int index : {0, 1, 2}) add(Node::ahead, attribute, index);
        for (const Node node : {Node::chunk, Node::rest}) add(node, attribute, 0);
    }
    std::vector<std::vector<std::uint16_t>> templates;
    std::vector<std::string> names;
    for (std::uint16_t slot = 0; slot < slots.size(); ++slot) {
        templates.push_back({slot});
        names.push_back(std::to_string(slot));
    }
    return {slots, templates, names};
}

// Any labels may be likely at any place. Making a table of them takes longer than a run: they are kept.
const BoundaryTables& tables_of(std::size_t seed) {
    static std::array<std::unique_ptr<const BoundaryTables>, 256> made;
    if (!made[seed]) {
        std::vector<std::uint8_t> masks(boundary_kinds);
        for (std::size_t i = 0; i < masks.size(); ++i)
            masks[i] = static_cast<std::uint8_t>(1 + scramble(seed * boundary_kinds + i) % 7);
        made[seed] = std::make_unique<const BoundaryTables>(masks, std::array<std::uint8_t, gap_count>{0, 1, 2, 3, 4},
                                                            CasingStatistics({7, 8, 9}, {1, 2, 3}));
    }
    return *made[seed];
}

// Bytes that are not UTF-8 never reach the segmenter.
std::string as_text(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
        const unicode::Decoded next = unicode::decode(bytes, at);
        unicode::append(text, next.point);
        at += next.size;
    }
    return text;
}

void check_document(const corpus::Columns& columns, std::string_view source) {
    const corpus::Located located = corpus::locate(columns);
    expect(located.text == source, "the text can be rebuilt from the document");
    expect(located.starts == columns.starts && located.ends == columns.ends, "offsets are those of the text");
    const corpus::ReadResult again = corpus::read_conllu(corpus::to_conllu(columns), {.file = "fuzz"});
    expect(corpus::equal(again.columns, columns), "CoNLL-U holds the document");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const features::Plan plan = all_slots();
    fuzz::Bytes bytes(data, size);
    const auto shape = bytes.number<std::uint8_t>();
    const auto seed = bytes.number<std::uint32_t>();
    const BoundaryTables& tables = tables_of(seed % 256);
    const std::string exception = as_text(bytes.string(8));
    const std::string token = unicode::lower(as_text(bytes.string(8)));
    const std::string ending = unicode::lower(as_text(bytes.string(4)));
    const std::string source = as_text(bytes.rest());

    // Noise for weights: now and then a feature is found among them.
    std::vector<std::uint64_t> directory(plan.size() + 1);
    for (std::size_t j = 0; j < directory.size(); ++j) directory[j] = j;
    std::string buckets;
    for (std::size_t i = 0; i < plan.size() * 64; ++i)
        buckets += i % 64 < 8 ? '\0' : static_cast<char>(scramble(seed ^ i));
    const learn::Table table(label_count, 1.0, directory,
                             {reinterpret_cast<const std::uint8_t*>(buckets.data()), buckets.size()}, {});
    const std::vector<learn::Exit> exits{{1, static_cast<std::int32_t>(seed % 50)},
                                         {static_cast<std::uint32_t>(plan.size()), learn::never}};
    const Characters characters(source);
    std::vector<Known> known(characters.size(), Known::nothing);
    if ((shape & 1) != 0) keep_emails(characters, known);
    if ((shape & 2) != 0) keep_urls(characters, known);
    if ((shape & 4) != 0) Exceptions(std::vector<std::string>{exception, "a b"}).keep(characters, known);
    Options options;
    options.lines = (shape & 8) != 0;
    options.longest = (shape & 16) != 0 ? 3 : 10'000;
    Multiwords multiwords;
    try {
        multiwords = Multiwords(features::Forms::of(std::vector<std::string>{token, "da", "a\n" + token}),
                                features::Forms::of(std::vector<std::string>{ending}), {0, 2, 4, 6, 8},
                                {token, "x", "de", "a", "b", "c", "", ending});
    } catch (const ModelError&) {
    }
    const Segmented found = segment(plan, tables, table, characters, 0, known, exits, options);
    expect(found.end == characters.size(), "the whole text is segmented");
    const corpus::Columns columns =
        build(characters, found.labels, 0, found.end, true, (shape & 32) != 0 ? &multiwords : nullptr);
    bool blank = true;
    for (std::size_t i = 0; i < characters.size(); ++i) blank = blank && characters.white(i);
    expect(blank == (columns.words() == 0), "a text with anything but white space has words");
    if (!blank) check_document(columns, source);
    return 0;
}
