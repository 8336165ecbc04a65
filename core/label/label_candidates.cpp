#include "label/label_candidates.hpp"

#include <utility>

#include "base/error.hpp"

namespace laconic::label {

LabelCandidates::LabelCandidates(learn::LabelSets sets, std::vector<std::uint64_t> keys,
                                 std::vector<std::uint32_t> numbers)
    : sets_(std::move(sets)), keys_(std::move(keys)), numbers_(std::move(numbers)) {
    if (keys_.size() != numbers_.size()) throw ModelError("the candidates of arcs are damaged");
    std::size_t size = 16;
    while (size < 2 * (keys_.size() + 1)) size *= 2;
    entries_.resize(size);
    mask_ = size - 1;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (numbers_[i] >= sets_.size() || sets_[numbers_[i]].empty())
            throw ModelError("the candidates of arcs name a set of labels that does not exist");
        std::size_t at = keys_[i] & mask_;
        for (; entries_[at].used; at = (at + 1) & mask_)
            if (entries_[at].key == keys_[i]) throw ModelError("the candidates of arcs have a pair twice");
        entries_[at] = {keys_[i], numbers_[i], true};
    }
}

}  // namespace laconic::label
