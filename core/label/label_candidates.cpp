#include "label/label_candidates.hpp"

#include <utility>

#include "base/error.hpp"

namespace laconic::label {

LabelCandidates::LabelCandidates(learn::LabelSets sets, std::vector<std::uint64_t> keys,
                                 std::vector<std::uint32_t> numbers)
    : sets_(std::move(sets)), map_(std::move(keys), std::move(numbers), "the table of label candidates") {
    for (const std::uint32_t number : map_.numbers())
        if (number >= sets_.size() || sets_[number].empty())
            throw ModelError("the table of label candidates names a set of labels that does not exist");
}

}  // namespace laconic::label
