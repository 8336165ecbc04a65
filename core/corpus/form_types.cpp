#include "corpus/form_types.hpp"

#include <limits>
#include <map>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace laconic::corpus {

namespace {

// Numbers forms. Open addressing; the strings stay where they are. Places are looked for in a short window only, and
// what finds none goes into a tree, because whoever knows the hash can write words that collide.
class Numbering {
public:
    Numbering(std::string_view bytes, std::vector<Span>& forms, std::vector<std::uint64_t>& hashes)
        : bytes_(bytes), forms_(forms), hashes_(hashes), index_(256) {}

    // The number of the form, a new one if it was not there.
    std::uint32_t add(Span form, std::uint64_t hash) {
        if (2 * (forms_.size() + 1) > index_.size()) grow();
        const auto number = static_cast<std::uint32_t>(forms_.size());
        const std::uint32_t found = find_or_add(form, hash, number);
        if (found == number) {
            forms_.push_back(form);
            hashes_.push_back(hash);
        }
        return found;
    }

private:
    static constexpr std::uint32_t free = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t window = 32;
    struct Entry {
        std::uint32_t number = free;
        std::uint32_t print = 0;  // of the hash, so that most others are told apart without a look at their bytes
    };

    [[nodiscard]] std::string_view view(Span span) const noexcept { return bytes_.substr(span.begin, span.size); }

    // The number under which the form is there; if it is not, it now is under `number`.
    std::uint32_t find_or_add(Span form, std::uint64_t hash, std::uint32_t number) {
        const auto print = static_cast<std::uint32_t>(hash >> 32);
        for (std::size_t i = 0; i < window; ++i) {
            Entry& at = index_[(hash + i) & (index_.size() - 1)];
            if (at.number == free) {
                at = {number, print};
                return number;
            }
            if (at.print == print && view(forms_[at.number]) == view(form)) return at.number;
        }
        return overflow_.try_emplace(view(form), number).first->second;
    }

    void grow() {
        index_.assign(2 * index_.size(), {});
        overflow_.clear();
        for (std::uint32_t i = 0; i < forms_.size(); ++i) find_or_add(forms_[i], hashes_[i], i);
    }

    std::string_view bytes_;
    std::vector<Span>& forms_;
    std::vector<std::uint64_t>& hashes_;
    std::vector<Entry> index_;
    std::map<std::string_view, std::uint32_t> overflow_;
};

}  // namespace

FormTypes::FormTypes(std::string_view bytes, std::span<const Span> forms) : words_(forms.size()) {
    if (forms.size() > std::numeric_limits<std::uint32_t>::max() / 2)
        throw InputError("a batch holds too many words: read the file in smaller batches", "");
    Numbering numbering(bytes, forms_, hashes_);
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const std::string_view form = bytes.substr(forms[i].begin, forms[i].size);
        const bool within = forms[i].begin + std::size_t{forms[i].size} + 7 <= bytes.size();
        words_[i] = numbering.add(forms[i], within ? hash_bytes_within(form) : hash_bytes(form));
    }
}

std::shared_ptr<const FormTypes> RememberedTypes::get(std::string_view bytes, const std::vector<Span>& forms) {
    const std::scoped_lock lock(mutex_);
    if (types_ == nullptr || column_ != forms) {
        types_ = std::make_shared<const FormTypes>(bytes, forms);
        column_ = forms;
    }
    return types_;
}

}  // namespace laconic::corpus
