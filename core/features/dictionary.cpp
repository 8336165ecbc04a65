#include "features/dictionary.hpp"

#include "base/error.hpp"

namespace laconic::features {

Dictionary::Dictionary(Forms forms, std::vector<std::uint32_t> values, Forms names)
    : forms_(std::move(forms)), values_(std::move(values)), names_(std::move(names)) {
    if (values_.size() != forms_.size()) throw ModelError("a dictionary needs one value per form");
    for (const std::uint32_t value : values_)
        if (value >= names_.size()) throw ModelError("a dictionary names a value that does not exist");
}

}  // namespace laconic::features
