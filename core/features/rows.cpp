#include "features/rows.hpp"

#include <limits>
#include <utility>

#include "base/error.hpp"

namespace laconic::features {

namespace {

// Numbers the unknown word types of one batch. Open addressing; the strings stay in the batch.
class Newcomers {
public:
    explicit Newcomers(std::string_view bytes) : bytes_(bytes), index_(64, free) {}

    // The number of the form, and whether it is new.
    std::pair<std::uint32_t, bool> add(corpus::Span form, std::uint64_t hash) {
        if (2 * (forms_.size() + 1) > index_.size()) grow();
        std::size_t at = hash & (index_.size() - 1);
        for (; index_[at] != free; at = (at + 1) & (index_.size() - 1)) {
            const auto& [seen, seen_hash] = forms_[index_[at]];
            if (seen_hash == hash && view(seen) == view(form)) return {index_[at], false};
        }
        index_[at] = static_cast<std::uint32_t>(forms_.size());
        forms_.emplace_back(form, hash);
        return {index_[at], true};
    }
    [[nodiscard]] std::size_t size() const noexcept { return forms_.size(); }

private:
    static constexpr std::uint32_t free = std::numeric_limits<std::uint32_t>::max();

    [[nodiscard]] std::string_view view(corpus::Span span) const noexcept {
        return bytes_.substr(span.begin, span.size);
    }

    void grow() {
        index_.assign(2 * index_.size(), free);
        for (std::uint32_t i = 0; i < forms_.size(); ++i) {
            std::size_t at = forms_[i].second & (index_.size() - 1);
            while (index_[at] != free) at = (at + 1) & (index_.size() - 1);
            index_[at] = i;
        }
    }

    std::string_view bytes_;
    std::vector<std::pair<corpus::Span, std::uint64_t>> forms_;
    std::vector<std::uint32_t> index_;
};

}  // namespace

WordRows::WordRows(const Lexicon& lexicon, std::string_view bytes, std::span<const corpus::Span> forms)
    : lexicon_(&lexicon), ids_(forms.size()) {
    if (forms.size() > std::numeric_limits<std::uint32_t>::max() - lexicon.size())
        throw InputError("a batch holds too many words: read the file in smaller batches", "");
    Newcomers newcomers(bytes);
    Word scratch;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const std::string_view form(bytes.data() + forms[i].begin, forms[i].size);
        const std::uint64_t hash = hash_bytes(form);
        ids_[i] = lexicon.find(form, hash);
        if (ids_[i] != Lexicon::absent) continue;
        const auto [number, is_new] = newcomers.add(forms[i], hash);
        ids_[i] = static_cast<std::uint32_t>(lexicon.size() + number);
        if (!is_new) continue;
        overlay_.resize(overlay_.size() + lexicon.stride());
        lexicon.compute(form, scratch, overlay_.data() + overlay_.size() - lexicon.stride());
    }
    unknown_types_ = newcomers.size();
}

}  // namespace laconic::features
