#include "corpus/columns.hpp"

#include <limits>

#include "base/error.hpp"

namespace laconic::corpus {

Span Columns::append(std::string_view text) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max() - bytes.size())
        throw InputError("a document holds at most 4 GiB of text: read the file in batches", "");
    const Span span{static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(text.size())};
    bytes.append(text);
    return span;
}

}  // namespace laconic::corpus
