#pragma once
// Columns by name, for what is given to taggers and lemmatisers.

#include <string>

#include "bindings/common.hpp"
#include "corpus/columns.hpp"

namespace laconic::bindings {

inline corpus::Field given_column(const std::string& name) {
    using corpus::Field;
    return choice<Field>(name, "column that a tagger can be given",
                         {{"upos", Field::upos}, {"xpos", Field::xpos}, {"feats", Field::feats}});
}

}  // namespace laconic::bindings
