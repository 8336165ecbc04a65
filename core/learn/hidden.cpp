#include "learn/hidden.hpp"

#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "base/error.hpp"

namespace laconic::learn {

namespace {

std::vector<RowKey> keys_of(std::span<const HiddenRow> features) {
    std::vector<RowKey> keys;
    for (const HiddenRow& feature : features) keys.push_back({feature.key, feature.template_index});
    return keys;
}

// The sizes of some weights together.
std::int32_t size_of(std::span<const std::int16_t> weights) noexcept {
    std::int32_t sum = 0;
    for (const std::int32_t weight : weights) sum += std::abs(weight);
    return sum;
}

}  // namespace

HiddenTable::HiddenTable(Frame frame, std::span<const HiddenRow> features)
    : frame_(std::move(frame)), index_(templates(), keys_of(features)), rows_(features.size() * frame_.units) {
    auto* to = reinterpret_cast<std::int8_t*>(rows_.data());
    for (const HiddenRow& feature : features) to = std::ranges::copy(feature.units, to).out;
    transpose();
}

HiddenTable::HiddenTable(Frame frame, std::vector<std::uint32_t> directory, std::span<const std::uint32_t> slots,
                         std::span<const std::uint8_t> rows)
    : frame_(std::move(frame)),
      index_(std::move(directory), slots, rows.size() / std::max(1U, frame_.units), "the hidden rows"),
      rows_(rows) {
    check();
    transpose();
}

void HiddenTable::transpose() {
    const std::size_t units = frame_.units, labels = frame_.labels, exits = frame_.exits.size();
    padded_ = (labels + label_block - 1) / label_block * label_block;
    exit_numbers_.assign(exits == 0 ? 0 : std::size_t{frame_.exits.back()} + 1, no_exit);
    for (std::size_t e = 0; e < exits; ++e) exit_numbers_[frame_.exits[e]] = static_cast<std::uint16_t>(e);
    pairs_.resize(exits * units * padded_);
    offsets_.resize(exits * padded_);
    for (std::size_t e = 0; e < exits; ++e) {
        std::copy_n(frame_.offsets.begin() + static_cast<std::ptrdiff_t>(e * labels), labels,
                    offsets_.begin() + static_cast<std::ptrdiff_t>(e * padded_));
        const std::int16_t* from = frame_.outputs.data() + e * labels * units;
        std::int16_t* to = pairs_.data() + e * units * padded_;
        for (std::size_t y = 0; y < labels; ++y)
            for (std::size_t u = 0; u < units; ++u) to[u / 2 * 2 * padded_ + 2 * y + u % 2] = from[y * units + u];
        layers_.push_back({units, padded_, frame_.shift, from, to, offsets_.data() + e * padded_});
    }
}

void HiddenTable::check() const {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw ModelError(std::string("the hidden rows in the model are damaged: ") + what);
    };
    const std::size_t units = frame_.units;
    require(units >= 32 && units % 32 == 0 && units <= 1024, "units");
    require(frame_.labels > 0 && frame_.labels <= max_labels && frame_.shift < 31, "labels or shift");
    require(frame_.scale > 0 && frame_.scale < 1e30, "scale");
    require(rows_.size() % units == 0, "rows");
    require(index_.templates() == templates(), "directory");
    for (std::size_t j = 0; j < templates(); ++j)
        require(frame_.merged[j] >= 1 && j + frame_.merged[j] <= templates(), "merged templates");
    require(!frame_.exits.empty() && frame_.exits.back() == templates(), "exits");
    for (std::size_t e = 0; e < frame_.exits.size(); ++e) {
        require(e == 0 || frame_.exits[e] > frame_.exits[e - 1], "order of exits");
        for (std::size_t j = 0; j < frame_.exits[e]; ++j)
            require(j + frame_.merged[j] <= frame_.exits[e], "an exit among merged templates");
    }
    const std::size_t layers = frame_.exits.size() * frame_.labels;
    require(frame_.start.size() == units && frame_.outputs.size() == layers * units && frame_.offsets.size() == layers,
            "output layers");
    for (std::size_t layer = 0; layer < layers; ++layer)
        require(size_of(std::span(frame_.outputs).subspan(layer * units, units)) <= output_limit, "output weights");
    for (const std::int32_t offset : frame_.offsets)
        require(offset <= offset_limit && offset >= -offset_limit, "an output offset");
}

void HiddenTable::throw_no_exit(std::uint32_t depth) {
    throw std::invalid_argument("no output layer after " + std::to_string(depth) + " templates");
}

std::vector<std::int16_t> HiddenTable::sum(std::span<const std::uint32_t> rows) const {
    std::vector<std::int16_t> sums(frame_.units);
    std::array<const std::int8_t*, 64> waiting;
    while (!rows.empty()) {
        const std::span<const std::uint32_t> some = rows.first(std::min(rows.size(), waiting.size()));
        for (std::size_t i = 0; i < some.size(); ++i) {
            if (some[i] >= size()) throw std::out_of_range("no such row");
            waiting[i] = reinterpret_cast<const std::int8_t*>(rows_.data()) + some[i] * std::size_t{frame_.units};
            prefetch(waiting[i]);
        }
        add_rows()(waiting.data(), some.size(), frame_.units, sums.data(), sums.data());
        rows = rows.subspan(some.size());
    }
    return sums;
}

}  // namespace laconic::learn
