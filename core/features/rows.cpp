#include "features/rows.hpp"

#include <algorithm>
#include <utility>

namespace laconic::features {

WordRows::WordRows(const Lexicon& lexicon, std::string_view bytes, std::shared_ptr<const corpus::FormTypes> types)
    : lexicon_(&lexicon), types_(std::move(types)), type_ids_(types_->size()), ids_(types_->words().size()) {
    const std::span<const corpus::Span> forms = types_->forms();
    const std::span<const std::uint64_t> hashes = types_->hashes();
    Word scratch;
    // The index of the lexicon is on its way for a whole block before it is read.
    constexpr std::size_t block = 16;
    for (std::size_t begin = 0; begin < forms.size(); begin += block) {
        const std::size_t end = std::min(begin + block, forms.size());
        for (std::size_t i = begin; i < end; ++i) lexicon.forms().fetch(hashes[i]);
        for (std::size_t i = begin; i < end; ++i) {
            const std::string_view form = bytes.substr(forms[i].begin, forms[i].size);
            type_ids_[i] = lexicon.find(form, hashes[i]);
            if (type_ids_[i] != Lexicon::absent) {
                lexicon.prepare(type_ids_[i], scratch);
                continue;
            }
            type_ids_[i] = static_cast<std::uint32_t>(lexicon.size() + unknown_types_++);
            overlay_.resize(overlay_.size() + lexicon.stride());
            lexicon.compute(form, scratch, overlay_.data() + overlay_.size() - lexicon.stride());
        }
    }
    for (std::size_t i = 0; i < ids_.size(); ++i) ids_[i] = type_ids_[types_->words()[i]];
}

}  // namespace laconic::features
