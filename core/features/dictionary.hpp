#pragma once
// A frozen map from forms to values: a gazetteer (form to type) or word clusters (form to bit string).

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/unicode.hpp"
#include "features/forms.hpp"
#include "features/plan.hpp"

namespace laconic::features {

class Dictionary {
public:
    // values[i] is the number in `names` of the value of form i. Throws ModelError where that does not fit.
    Dictionary(Forms forms, std::vector<std::uint32_t> values, Forms names);

    [[nodiscard]] const Forms& forms() const noexcept { return forms_; }
    [[nodiscard]] const std::vector<std::uint32_t>& values() const noexcept { return values_; }
    [[nodiscard]] const Forms& names() const noexcept { return names_; }

    // The value of a form, or its first `prefix` characters if that is not 0; `nothing` if the form is not there.
    [[nodiscard]] Atom atom(std::string_view form, std::size_t prefix) const noexcept {
        const std::uint32_t found = forms_.find(form);
        if (found == Forms::absent) return nothing;
        const std::string_view value = names_[values_[found]];
        return features::atom(prefix == 0 ? value : unicode::first(value, prefix));
    }

private:
    Forms forms_;
    std::vector<std::uint32_t> values_;
    Forms names_;
};

}  // namespace laconic::features
