#include "learn/row_index.hpp"

#include <utility>

#include "base/error.hpp"

namespace laconic::learn {

RowIndex::RowIndex(std::size_t templates, std::span<const RowKey> features) : directory_(templates + 1) {
    std::vector<std::uint32_t> counts(templates);
    for (const RowKey& feature : features) ++counts[feature.template_index];
    for (std::size_t j = 0; j < templates; ++j)  // two thirds full, and never quite: a search must end
        directory_[j + 1] = directory_[j] + counts[j] + counts[j] / 2 + 1;
    slots_.resize(directory_.back());
    std::uint32_t row = 0;
    for (const RowKey& feature : features) {
        std::uint32_t at = home(feature.template_index, feature.key);
        while (slots_[at].row != 0)
            if (++at == directory_[feature.template_index + 1U]) at = directory_[feature.template_index];
        slots_[at] = {static_cast<std::uint32_t>(feature.key >> 32), ++row};
    }
}

RowIndex::RowIndex(std::vector<std::uint32_t> directory, std::span<const std::uint32_t> slots, std::size_t rows,
                   const std::string& what)
    : directory_(std::move(directory)) {
    const auto require = [&](bool holds, const char* reason) {
        if (!holds) throw ModelError(what + " in the model are damaged: " + reason);
    };
    require(slots.size() % 2 == 0, "slots do not come in pairs");
    slots_.reserve(slots.size() / 2);
    for (std::size_t i = 0; i < slots.size(); i += 2) slots_.push_back({slots[i], slots[i + 1]});
    require(!directory_.empty() && directory_[0] == 0 && directory_.back() == slots_.size(), "directory");
    std::size_t found = 0;
    for (std::size_t j = 0; j < templates(); ++j) {
        require(directory_[j] < directory_[j + 1] && directory_[j + 1] <= slots_.size(), "size of a template");
        bool open = false;
        for (std::uint32_t at = directory_[j]; at < directory_[j + 1]; ++at) {
            require(slots_[at].row <= rows, "number of a row in a slot");
            open = open || slots_[at].row == 0;
            found += slots_[at].row != 0;
        }
        require(open, "a template without an empty slot");
    }
    require(found == rows, "number of rows");
}

std::vector<std::uint32_t> RowIndex::packed_slots() const {
    std::vector<std::uint32_t> packed;
    packed.reserve(slots_.size() * 2);
    for (const Slot& slot : slots_) {
        packed.push_back(slot.fingerprint);
        packed.push_back(slot.row);
    }
    return packed;
}

}  // namespace laconic::learn
