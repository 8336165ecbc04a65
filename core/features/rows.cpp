#include "features/rows.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "base/error.hpp"

namespace laconic::features {

namespace {

// Numbers the unknown word types of one batch. Open addressing; the strings stay in the batch. Places are looked for in
// a short window only, and what finds none goes into a tree, because whoever knows the hash can write words that
// collide.
class UnknownWords {
public:
    explicit UnknownWords(std::string_view bytes) : bytes_(bytes), index_(64, free) {}

    // The number of the form, and whether it is new.
    std::pair<std::uint32_t, bool> add(corpus::Span form, std::uint64_t hash) {
        if (2 * (forms_.size() + 1) > index_.size()) grow();
        const auto number = static_cast<std::uint32_t>(forms_.size());
        const std::uint32_t found = find_or_add(form, hash, number);
        if (found == number) forms_.emplace_back(form, hash);
        return {found, found == number};
    }
    [[nodiscard]] std::size_t size() const noexcept { return forms_.size(); }

private:
    static constexpr std::uint32_t free = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t window = 32;

    [[nodiscard]] std::string_view view(corpus::Span span) const noexcept {
        return {bytes_.data() + span.begin, span.size};
    }

    // The number under which the form is there; if it is not, it now is under `number`.
    std::uint32_t find_or_add(corpus::Span form, std::uint64_t hash, std::uint32_t number) {
        for (std::size_t i = 0; i < window; ++i) {
            std::uint32_t& at = index_[(hash + i) & (index_.size() - 1)];
            if (at == free) return at = number;
            const auto& [seen, seen_hash] = forms_[at];
            if (seen_hash == hash && view(seen) == view(form)) return at;
        }
        return overflow_.try_emplace(view(form), number).first->second;
    }

    void grow() {
        index_.assign(2 * index_.size(), free);
        overflow_.clear();
        for (std::uint32_t i = 0; i < forms_.size(); ++i) find_or_add(forms_[i].first, forms_[i].second, i);
    }

    std::string_view bytes_;
    std::vector<std::pair<corpus::Span, std::uint64_t>> forms_;
    std::vector<std::uint32_t> index_;
    std::map<std::string_view, std::uint32_t> overflow_;
};

}  // namespace

WordRows::WordRows(const Lexicon& lexicon, std::string_view bytes, std::span<const corpus::Span> forms)
    : lexicon_(&lexicon), ids_(forms.size()) {
    if (forms.size() > std::numeric_limits<std::uint32_t>::max() - lexicon.size())
        throw InputError("a batch holds too many words: read the file in smaller batches", "");
    UnknownWords unknown_words(bytes);
    Word scratch;
    // Hashes first, a block at a time: the index of the lexicon is then on its way for all of them.
    constexpr std::size_t block = 16;
    std::array<std::uint64_t, block> hashes;
    for (std::size_t begin = 0; begin < forms.size(); begin += block) {
        const std::size_t end = std::min(begin + block, forms.size());
        const auto form = [&](std::size_t i) { return std::string_view(bytes.data() + forms[i].begin, forms[i].size); };
        for (std::size_t i = begin; i < end; ++i) {
            const bool within = forms[i].begin + std::size_t{forms[i].size} + 7 <= bytes.size();
            hashes[i - begin] = within ? hash_bytes_within(form(i)) : hash_bytes(form(i));
            lexicon.forms().fetch(hashes[i - begin]);
        }
        for (std::size_t i = begin; i < end; ++i) {
            ids_[i] = lexicon.find(form(i), hashes[i - begin]);
            if (ids_[i] != Lexicon::absent) continue;
            const auto [number, is_new] = unknown_words.add(forms[i], hashes[i - begin]);
            ids_[i] = static_cast<std::uint32_t>(lexicon.size() + number);
            if (!is_new) continue;
            overlay_.resize(overlay_.size() + lexicon.stride());
            lexicon.compute(form(i), scratch, overlay_.data() + overlay_.size() - lexicon.stride());
        }
    }
    unknown_types_ = unknown_words.size();
}

}  // namespace laconic::features
