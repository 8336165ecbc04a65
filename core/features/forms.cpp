#include "features/forms.hpp"

#include <bit>
#include <utility>

#include "base/error.hpp"

namespace laconic::features {

Forms::Forms(std::string bytes, std::vector<std::uint32_t> offsets)
    : bytes_(std::move(bytes)), offsets_(std::move(offsets)) {
    if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != bytes_.size())
        throw ModelError("the offsets of a list of forms do not span its bytes");
    for (std::size_t i = 0; i + 1 < offsets_.size(); ++i)
        if (offsets_[i] > offsets_[i + 1]) throw ModelError("the offsets of a list of forms do not ascend");
    index_.resize(std::bit_ceil(2 * size() + 2));
    mask_ = index_.size() - 1;
    for (std::uint32_t i = 0; i < size(); ++i) {
        const std::string_view form = (*this)[i];
        const std::uint64_t hash = hash_bytes(form);
        if (find(form, hash) != absent) throw ModelError("a list of forms holds form " + std::to_string(i) + " twice");
        std::size_t at = hash & mask_;
        while (index_[at].form != absent) at = (at + 1) & mask_;
        index_[at] = {i, static_cast<std::uint32_t>(hash >> 32), offsets_[i], static_cast<std::uint32_t>(form.size())};
    }
}

Forms Forms::of(std::span<const std::string> forms) {
    std::string bytes;
    std::vector<std::uint32_t> offsets{0};
    for (const std::string& form : forms) {
        if (form.size() > std::numeric_limits<std::uint32_t>::max() - bytes.size())
            throw ModelError("a list of forms holds at most 4 GiB");
        bytes += form;
        offsets.push_back(static_cast<std::uint32_t>(bytes.size()));
    }
    return {std::move(bytes), std::move(offsets)};
}

}  // namespace laconic::features
