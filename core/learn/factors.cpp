#include "learn/factors.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/wide.hpp"
#include "learn/matrix.hpp"

namespace laconic::learn {

namespace {

std::vector<RowKey> keys_of(std::span<const FactorRow> features) {
    std::vector<RowKey> keys;
    for (const FactorRow& feature : features) keys.push_back({feature.key, feature.template_index});
    return keys;
}

std::size_t width_of(const FactorTable::Frame& frame) {
    std::size_t width = 0;
    for (const std::uint32_t lanes : frame.lanes) width += lanes;
    return std::max<std::size_t>(width, 1);
}

LACONIC_WIDE void scale_and_add(const std::int16_t* sums, float step, const float* start, float* vector,
                                std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) vector[i] = start[i] + step * static_cast<float>(sums[i]);
}

}  // namespace

LACONIC_WIDE void multiply(const float* left, const float* right, float* target, std::size_t width) noexcept {
    for (std::size_t i = 0; i < width; ++i) target[i] = left[i] * right[i];
}

FactorTable::FactorTable(Frame frame, std::span<const FactorRow> features)
    : frame_(std::move(frame)),
      index_(frame_.templates, keys_of(features)),
      width_(width_of(frame_)),
      size_(features.size()),
      rows_((size_ + 1) * width_) {
    lay_out();
    for (std::size_t i = 0; i < features.size(); ++i) {
        const std::int8_t* from = features[i].numbers.data();
        for (std::size_t role = 0; role < roles(); from += lanes(role++))
            std::copy_n(from, lanes(role),
                        reinterpret_cast<std::int8_t*>(rows_.data()) + begins_[role] + i * strides_[role]);
    }
}

FactorTable::FactorTable(Frame frame, std::vector<std::uint32_t> directory, std::span<const std::uint32_t> slots,
                         std::span<const std::uint8_t> rows)
    : frame_(std::move(frame)),
      index_(std::move(directory), slots, rows.size() / width_of(frame_), "the factors"),
      width_(width_of(frame_)),
      size_(rows.size() / width_),
      rows_((size_ + 1) * width_) {
    check(rows.size());
    lay_out();
    each_run([&](std::size_t own, std::size_t packed, std::size_t size) {
        std::copy_n(rows.data() + packed, size, rows_.data() + own);
    });
}

std::vector<std::uint8_t> FactorTable::packed_rows() const {
    std::vector<std::uint8_t> all(size_ * width_);
    each_run([&](std::size_t own, std::size_t packed, std::size_t size) {
        std::copy_n(rows_.data() + own, size, all.data() + packed);
    });
    return all;
}

void FactorTable::check(std::size_t bytes) const {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw ModelError(std::string("the factors in the model are damaged: ") + what);
    };
    require(frame_.labels > 0 && frame_.labels <= max_labels, "labels");
    require(frame_.buckets > 0 && frame_.buckets <= 64, "buckets");
    require(frame_.templates > 0 && index_.templates() == frame_.templates, "templates");
    require(roles() >= 2 && roles() <= max_roles && frame_.lanes[0] == frame_.lanes[1], "roles");
    for (const std::uint32_t lanes : frame_.lanes) require(lanes > 0 && lanes % 32 == 0 && lanes <= 1024, "lanes");
    require(bytes % width_ == 0, "rows");
    require(frame_.steps.size() == roles() && frame_.starts.size() == width_, "starts");
    require(frame_.outputs.size() == std::size_t{frame_.buckets} * frame_.labels * frame_.lanes[0], "outputs");
    // Products of numbers within these bounds stay finite.
    const auto moderate = [](float value) { return std::abs(value) <= 1e4F; };
    require(std::ranges::all_of(frame_.steps, [](float step) { return step > 0 && step <= 1; }), "steps");
    require(std::ranges::all_of(frame_.starts, moderate) && std::ranges::all_of(frame_.outputs, moderate), "numbers");
}

void FactorTable::lay_out() {
    std::size_t begin = 0, start = 0;
    const std::size_t both = lanes(0) + lanes(1);
    for (std::size_t role = 0; role < roles(); ++role) {
        begins_.push_back(role == 1 ? lanes(0) : begin);
        strides_.push_back(role < 2 ? both : lanes(role));
        if (role != 0) begin += (size_ + 1) * strides_.back();
        starts_.push_back(start);
        start += lanes(role);
    }
}

void FactorTable::finish(std::size_t role, const std::int16_t* sums, float* vector) const noexcept {
    scale_and_add(sums, frame_.steps[role], frame_.starts.data() + starts_[role], vector, lanes(role));
}

FactorScratch::FactorScratch(const FactorTable& table) : product(table.lanes(0)), scores(table.labels()) {
    for (std::size_t each = 0; each < table.roles(); ++each) {
        sums.emplace_back(table.lanes(each));
        vectors.emplace_back(table.lanes(each));
    }
}

void clear(const FactorTable& table, FactorScratch& scratch) noexcept {
    for (std::size_t role = 0; role < table.roles(); ++role) {
        std::ranges::fill(scratch.sums[role], std::int16_t{0});
        table.finish(role, scratch.sums[role].data(), scratch.vectors[role].data());
    }
}

Decision lead(const FactorTable& table, FactorScratch& scratch, std::span<const Label> candidates,
              std::uint32_t depth) {
    table.finish(scratch.role, scratch.sums[scratch.role].data(), scratch.vectors[scratch.role].data());
    multiply(scratch.vectors[0].data(), scratch.vectors[1].data(), scratch.product.data(), table.lanes(0));
    // Within bounds that keep the difference of any two in 32 bits.
    constexpr double limit = 1e9;
    for (const Label label : candidates) {
        const float score = dot(scratch.product.data(), table.output(scratch.bucket, label), table.lanes(0));
        scratch.scores[label] =
            static_cast<std::int32_t>(std::lround(std::clamp(score * table.scale(), -limit, limit)));
    }
    return lead(std::span<const std::int32_t>(scratch.scores), candidates, depth);
}

}  // namespace laconic::learn
