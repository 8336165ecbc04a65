#include "label/label_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace laconic::label {

namespace {

std::vector<std::uint32_t> counted(std::size_t size) {
    std::vector<std::uint32_t> numbers(size);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

}  // namespace

LabelCandidates::LabelCandidates(learn::LabelSets sets, const std::vector<std::uint64_t>& keys,
                                 std::vector<std::uint32_t> numbers, std::vector<float> priors)
    : sets_(std::move(sets)),
      map_(keys, counted(keys.size()), "the table of label candidates"),
      numbers_(std::move(numbers)),
      priors_(std::move(priors)) {
    if (numbers_.size() != keys.size()) throw ModelError("the table of label candidates is damaged: sets and keys");
    for (const std::uint32_t number : numbers_)
        if (number >= sets_.size() || sets_[number].empty())
            throw ModelError("the table of label candidates names a set of labels that does not exist");
    if (priors_.empty()) return;
    std::size_t begin = 0;
    for (std::uint32_t entry = 0; entry <= numbers_.size(); ++entry) {
        begins_.push_back(begin);
        begin += sets_[set_of(entry)].size();
    }
    const auto moderate = [](float value) { return std::abs(value) <= 1e4F; };
    if (begin != priors_.size() || !std::ranges::all_of(priors_, moderate))
        throw ModelError("the table of label candidates is damaged: priors");
}

}  // namespace laconic::label
