#pragma once
// One feature out of a FEATS string.

#include <cstddef>
#include <string_view>

#include "features/plan.hpp"

namespace laconic::features {

// The value of `name` in "Case=Nom|Number=Sing", empty if it is not there. Linear in the string.
constexpr std::string_view feat_value(std::string_view feats, std::string_view name) noexcept {
    while (!feats.empty()) {
        const std::size_t bar = feats.find('|');
        const std::string_view pair = feats.substr(0, bar);
        if (pair.size() > name.size() && pair[name.size()] == '=' && pair.starts_with(name))
            return pair.substr(name.size() + 1);
        feats.remove_prefix(bar == std::string_view::npos ? feats.size() : bar + 1);
    }
    return {};
}

// FEAT:name of a word: `nothing` if the word has no such feature.
inline Atom feat_atom(std::string_view feats, std::string_view name) noexcept {
    const std::string_view value = feat_value(feats, name);
    return value.empty() ? nothing : atom(value);
}

}  // namespace laconic::features
