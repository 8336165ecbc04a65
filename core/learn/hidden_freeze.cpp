#include "learn/hidden_freeze.hpp"

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "base/error.hpp"
#include "features/codes.hpp"

namespace laconic::learn {

namespace {

struct RealRow {
    std::uint64_t key;
    std::uint16_t template_index;
    std::vector<float> units;
};

class Multiplier {
public:
    Multiplier(const Network& network, const FeatureIndex& index, const Plan& plan)
        : network_(network), index_(index), plan_(plan), units_(network.units()) {}

    // The row that the vectors of some features give together behind the matrix of a group.
    [[nodiscard]] std::vector<float> through(std::size_t group, std::span<const Feature> features) const {
        std::vector<float> sum(units_), row(units_);
        for (const Feature feature : features) add_to(sum.data(), network_.rows[feature], units_);
        multiply_add({sum.data(), units_, 1}, 1, units_, network_.matrices[group], units_, row.data());
        return row;
    }
    [[nodiscard]] std::uint64_t key(std::size_t j, Atom value) const noexcept {
        return finish(mix(plan_.seed(j), value));
    }

    // Where the rows of a lexicon have what a factored template reads. The lexicon may serve other plans as well.
    [[nodiscard]] std::size_t column(const features::Lexicon& lexicon, std::size_t j) const {
        const features::Slot& slot = plan_.slots()[plan_[j][0]];
        for (std::size_t i = 0; i < lexicon.attributes().size(); ++i) {
            const features::WordAttribute& one = lexicon.attributes()[i];
            if (static_cast<std::uint8_t>(one.attribute) == slot.attribute && one.number == slot.number) return i;
        }
        throw ConfigError("the lexicon lacks something that the templates read");
    }

    // Is the template LOWER, and read for words outside the lexicon only?
    [[nodiscard]] bool is_merged(std::size_t j) const {
        const Shape& shape = network_.shape();
        const auto attribute = static_cast<features::Attribute>(plan_.slots()[plan_[j][0]].attribute);
        if (attribute != features::Attribute::lower) return false;
        for (std::size_t i = j; i-- > 0 && shape.groups[i] == shape.groups[j];)
            if (shape.merged[i] > j - i) return true;
        return false;
    }
    // The keys of the most frequent quarter of the forms: a word outside the lexicon that differs from one inside by
    // its case differs from a frequent one, mostly.
    [[nodiscard]] std::unordered_set<std::uint64_t> of_frequent_forms(const features::Lexicon& lexicon,
                                                                      std::size_t j) const {
        std::unordered_set<std::uint64_t> keys;
        for (std::size_t form = 0; form < lexicon.size() / 4 + 1 && form < lexicon.size(); ++form)
            keys.insert(key(j, lexicon.row(form)[column(lexicon, j)]));
        return keys;
    }

    // All rows of all templates, in an order that depends on the index and the lexicon alone.
    [[nodiscard]] std::vector<RealRow> rows(const features::Lexicon* lexicon) const {
        const Shape& shape = network_.shape();
        std::unordered_map<std::uint64_t, std::vector<Feature>> by_seed;  // factored templates share their features
        std::vector<std::vector<Feature>> direct(plan_.size());
        for (Feature f = 0; f < index_.size(); ++f) {
            const std::uint16_t j = index_.template_of(f);
            if (shape.groups[j] == Shape::direct)
                direct[j].push_back(f);
            else
                by_seed[plan_.seed(j)].push_back(f);
        }
        std::vector<RealRow> result;
        for (std::size_t j = 0; j < plan_.size(); ++j) {
            const auto number = static_cast<std::uint16_t>(j);
            if (shape.groups[j] == Shape::direct) {
                for (const Feature f : direct[j])
                    result.push_back({index_.key(f), number, {network_.rows[f], network_.rows[f] + units_}});
                continue;
            }
            const auto group = static_cast<std::size_t>(shape.groups[j]);
            if (lexicon != nullptr && shape.merged[j] > 1) {
                for (std::size_t form = 0; form < lexicon->size(); ++form) {
                    std::vector<Feature> found;
                    for (std::size_t i = j; i < j + shape.merged[j]; ++i) {
                        const Atom value = lexicon->row(form)[column(*lexicon, i)];
                        const Feature f = value == features::unknown ? no_feature : index_.find(key(i, value));
                        if (f != no_feature) found.push_back(f);
                    }
                    const Atom itself = lexicon->row(form)[column(*lexicon, j)];
                    result.push_back({key(j, itself), number, through(group, found)});
                }
            } else if (const auto features = by_seed.find(plan_.seed(j)); features != by_seed.end()) {
                const std::unordered_set<std::uint64_t> useful = lexicon == nullptr || !is_merged(j)
                                                                     ? std::unordered_set<std::uint64_t>{}
                                                                     : of_frequent_forms(*lexicon, j);
                for (const Feature f : features->second)
                    if (useful.empty() || useful.contains(index_.key(f)))
                        result.push_back({index_.key(f), number, through(group, {&f, 1})});
            }
        }
        return result;
    }

private:
    const Network& network_;
    const FeatureIndex& index_;
    const Plan& plan_;
    std::size_t units_;
};

// The number that all but a hundred thousandth of the numbers stay below: the rest is cut off by quantising.
double ceiling(const std::vector<RealRow>& rows) {
    std::vector<float> sizes;
    for (const RealRow& row : rows)
        for (const float value : row.units) {
            if (!std::isfinite(value)) throw ConfigError("training overflowed: lower the rate");
            sizes.push_back(std::abs(value));
        }
    if (sizes.empty()) return 1;
    const auto at = sizes.end() - static_cast<std::ptrdiff_t>(1 + sizes.size() / 100'000);
    std::ranges::nth_element(sizes, at);
    return std::max<double>(*at, 1e-6);
}

// By how much output weights are multiplied, so that each fits 16 bits and those of a label stay within their limit,
// whatever rounding adds.
double output_steps(const Network& network) {
    const double units = static_cast<double>(network.units());
    double steps = 1e6;
    for (std::size_t row = 0; row < network.outputs.rows(); ++row) {
        double sum = 0;
        for (std::size_t u = 0; u < network.units(); ++u) {
            const double size = std::abs(static_cast<double>(network.outputs[row][u]));
            sum += size;
            if (size > 0) steps = std::min(steps, 32767 / size);
        }
        if (sum > 0) steps = std::min(steps, (output_limit - units) / sum);
    }
    return steps;
}

}  // namespace

HiddenTable freeze(const Network& network, const FeatureIndex& index, const Plan& plan,
                   const features::Lexicon* lexicon, int floor) {
    const std::size_t units = network.units();
    const std::vector<RealRow> rows = Multiplier(network, index, plan).rows(lexicon);
    const double scale = 127.0 / (ceiling(rows) * network.keep());
    const auto quantised = [](double value, double limit) { return std::round(std::clamp(value, -limit, limit)); };

    HiddenTable::Frame frame;
    frame.units = static_cast<std::uint32_t>(units);
    frame.labels = static_cast<std::uint32_t>(network.labels());
    frame.exits = network.shape().exits;
    frame.merged = network.shape().merged;
    if (lexicon == nullptr) std::ranges::fill(frame.merged, 1U);
    for (const float value : network.start.values())
        frame.start.push_back(static_cast<std::int16_t>(quantised(value * scale, 32767)));
    const double brightest = network.brightest() * scale;
    while (brightest * brightest / std::pow(2.0, frame.shift) > active_limit && frame.shift < 30) ++frame.shift;

    const double steps = output_steps(network);
    frame.scale = steps * scale * scale / std::pow(2.0, frame.shift);
    for (const float value : network.outputs.values())
        frame.outputs.push_back(static_cast<std::int16_t>(quantised(value * steps, 32767)));
    for (const float value : network.offsets.values())
        frame.offsets.push_back(static_cast<std::int32_t>(quantised(value * frame.scale, offset_limit)));

    std::vector<HiddenRow> kept;
    for (const RealRow& row : rows) {
        HiddenRow small{row.key, row.template_index, std::vector<std::int8_t>(units)};
        int highest = 0;
        for (std::size_t u = 0; u < units; ++u) {
            small.units[u] = static_cast<std::int8_t>(quantised(row.units[u] * network.keep() * scale, 127));
            highest = std::max(highest, std::abs(small.units[u]));
        }
        // A merged row stays whatever it holds: where it is missing, its templates would be read one by one.
        if (highest > floor || frame.merged[row.template_index] > 1) kept.push_back(std::move(small));
    }
    return HiddenTable(std::move(frame), kept);
}

}  // namespace laconic::learn
