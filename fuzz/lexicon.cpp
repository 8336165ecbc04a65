// Lists of forms, dictionaries and lexicons from arrays of a model file: refused, or safe to look up any bytes in.

#include <memory>

#include "base/error.hpp"
#include "bytes.hpp"
#include "corpus/form_types.hpp"
#include "features/rows.hpp"

using namespace laconic;
using namespace laconic::features;
using fuzz::expect;

namespace {

std::vector<std::uint32_t> offsets_of(fuzz::Bytes& bytes, std::size_t size, bool wild) {
    if (wild) return bytes.array<std::uint32_t>(50);
    std::vector<std::uint32_t> offsets{0};
    for (const std::uint8_t step : bytes.array<std::uint8_t>(50))
        offsets.push_back(std::min<std::uint32_t>(offsets.back() + step % 8, static_cast<std::uint32_t>(size)));
    if (offsets.back() < size) offsets.push_back(static_cast<std::uint32_t>(size));
    return offsets;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    const auto shape = bytes.number<std::uint8_t>();
    const std::string text = bytes.string(200);
    const std::string names = bytes.string(60);
    try {
        const Forms forms(text, offsets_of(bytes, text.size(), shape % 8 == 7));
        for (std::uint32_t i = 0; i < forms.size(); ++i) expect(forms.find(forms[i]) == i, "every form is found");
        const Forms values(names, offsets_of(bytes, names.size(), shape % 16 == 8));
        std::vector<std::uint32_t> chosen = bytes.array<std::uint32_t>(60);
        if (shape % 4 != 3) {
            chosen.resize(forms.size());
            for (std::uint32_t& value : chosen)
                value %= static_cast<std::uint32_t>(std::max<std::size_t>(1, values.size() + shape % 2));
        }
        const auto dictionary = std::make_shared<const Dictionary>(forms, chosen, values);
        std::vector<WordAttribute> attributes;
        for (const std::uint16_t packed : bytes.array<std::uint16_t>(30))
            attributes.push_back({static_cast<Attribute>(packed % 32), static_cast<std::uint8_t>((packed >> 5) % 8),
                                  static_cast<std::uint16_t>(packed >> 8 > 250 ? 1 : 0)});
        std::vector<Atom> ambiguity = bytes.array<Atom>(60);
        if (shape % 4 != 2) ambiguity.resize(forms.size());
        const std::size_t payload_count = shape % 32 == 9 ? bytes.number<std::uint64_t>() : shape % 3;
        std::vector<std::uint32_t> payloads = bytes.array<std::uint32_t>(100);
        if (shape % 4 != 1 && payload_count < 4) payloads.resize(forms.size() * payload_count);
        const Lexicon lexicon(forms, attributes, {dictionary}, ambiguity, payloads, payload_count);

        const std::string_view rest = bytes.rest();
        std::vector<corpus::Span> spans;
        for (std::size_t i = 0; i + 1 < rest.size(); i += 3)
            spans.push_back(
                {static_cast<std::uint32_t>(i), std::min<std::uint32_t>(static_cast<unsigned char>(rest[i]) % 32,
                                                                        static_cast<std::uint32_t>(rest.size() - i))});
        const WordRows rows(lexicon, rest, std::make_shared<const corpus::FormTypes>(rest, spans));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::string_view form = rest.substr(spans[i].begin, spans[i].size);
            expect(rows.known(i) == (lexicon.find(form) != Lexicon::absent), "a word is known if the lexicon has it");
            Word word(form);
            expect(word.length() <= form.size(), "a code point has at least one byte");
            for (std::size_t affix = 1; affix <= Word::max_affix; ++affix)
                if (word.has_affix(affix))
                    expect(word.lower().starts_with(word.prefix(affix)) && word.lower().ends_with(word.suffix(affix)),
                           "affixes lie at the ends");
            if (lexicon.stride() > 0) (void)*rows[i];
        }
    } catch (const ModelError&) {
    }
    return 0;
}
