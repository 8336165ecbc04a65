// Patterns over trees, built piece by piece from what laconic.query has read.

#include "query/query.hpp"

#include "bindings/common.hpp"
#include "bindings/rooms.hpp"

namespace laconic::bindings {

namespace {

using query::Expression;
using query::Node;
using query::Pattern;
using query::Presence;
using query::Relation;
using query::Source;
using query::Test;
using Numbers = std::vector<std::uint32_t>;

constexpr std::pair<const char*, Relation> relations[] = {
    {"<", Relation::depends},
    {">", Relation::governs},
    {"<<", Relation::below},
    {">>", Relation::above},
    {"<>", Relation::linked},
    {"==", Relation::same},
    {".", Relation::next},
    {"-", Relation::previous},
    {"..", Relation::before},
    {"--", Relation::after},
    {"$+", Relation::next_sibling},
    {"$-", Relation::previous_sibling},
    {"$++", Relation::later_sibling},
    {"$--", Relation::earlier_sibling},
    {"<++", Relation::head_right},
    {"<--", Relation::head_left},
    {">++", Relation::child_right},
    {">--", Relation::child_left},
    {"<+", Relation::head_next},
    {"<-", Relation::head_previous},
    {">+", Relation::child_next},
    {">-", Relation::child_previous},
};

Relation relation_named(std::string_view symbol) {
    for (const auto& [name, relation] : relations)
        if (symbol == name) return relation;
    throw std::invalid_argument("no such relation: " + std::string(symbol));
}

template <class T>
std::uint32_t appended(std::vector<T>& all, T one) {
    all.push_back(std::move(one));
    return static_cast<std::uint32_t>(all.size() - 1);
}

// What is referred to must be there already, so that nothing refers to itself.
void check_known(std::int64_t number, std::size_t count) {
    if (number >= static_cast<std::int64_t>(count)) throw std::invalid_argument("no such part of the pattern");
}

std::uint32_t add_test(Pattern& pattern, const std::string& source, std::string key, const std::string& presence,
                       std::vector<std::string> values, std::int32_t regex) {
    check_known(regex, pattern.regexes.size());
    const auto from = choice<Source>(source, "attribute",
                                     {{"form", Source::form},
                                      {"lemma", Source::lemma},
                                      {"upos", Source::upos},
                                      {"xpos", Source::xpos},
                                      {"feats", Source::feats},
                                      {"deprel", Source::deprel},
                                      {"deps", Source::deps},
                                      {"misc", Source::misc},
                                      {"lower", Source::lower},
                                      {"id", Source::id},
                                      {"entity", Source::entity},
                                      {"root", Source::root}});
    if (!key.empty() && from != Source::feats && from != Source::misc)
        throw std::invalid_argument("only feats and misc have entries");
    const auto how = choice<Presence>(
        presence, "presence", {{"must", Presence::must}, {"must_not", Presence::must_not}, {"may", Presence::may}});
    return appended(pattern.tests, {from, std::move(key), how, std::move(values), regex});
}

std::uint32_t add_relation(Pattern& pattern, std::string_view symbol, std::int32_t label, std::uint32_t node,
                           std::uint32_t least, std::uint32_t most, std::int32_t name, bool same_arc) {
    check_known(label, pattern.tests.size());
    check_known(node, pattern.nodes.size());
    pattern.names = std::max(pattern.names, static_cast<std::uint32_t>(name + 1));
    return appended(pattern.expressions, {Expression::Kind::relation,
                                          {},
                                          relation_named(symbol),
                                          label,
                                          node,
                                          least,
                                          most,
                                          name >= 0 || pattern.nodes[node].named,
                                          name,
                                          same_arc});
}

std::uint32_t add_group(Pattern& pattern, const std::string& kind, Numbers parts) {
    Expression group;
    group.kind = choice<Expression::Kind>(kind, "group",
                                          {{"all", Expression::Kind::all},
                                           {"any", Expression::Kind::any},
                                           {"negated", Expression::Kind::negated},
                                           {"optional", Expression::Kind::optional}});
    if (parts.empty()) throw std::invalid_argument("a group has parts");
    for (const std::uint32_t part : parts) {
        check_known(part, pattern.expressions.size());
        group.named |= pattern.expressions[part].named;
    }
    if (group.kind == Expression::Kind::negated && group.named)
        throw std::invalid_argument("what is negated has no names");
    group.parts = std::move(parts);
    return appended(pattern.expressions, std::move(group));
}

std::uint32_t add_node(Pattern& pattern, Numbers tests, bool negated, std::int32_t name, std::int32_t expression) {
    for (const std::uint32_t test : tests) check_known(test, pattern.tests.size());
    check_known(expression, pattern.expressions.size());
    const bool named =
        name >= 0 || (expression >= 0 && pattern.expressions[static_cast<std::size_t>(expression)].named);
    pattern.names = std::max(pattern.names, static_cast<std::uint32_t>(name + 1));
    return appended(pattern.nodes, {std::move(tests), negated, name, expression, named});
}

void add_part(Pattern& pattern, std::uint32_t node) {
    check_known(node, pattern.nodes.size());
    pattern.parts.push_back(node);
}

nb::object find(const Pattern& pattern, const Columns& columns) {
    if (pattern.parts.empty()) throw std::invalid_argument("the pattern has no parts");
    std::vector<std::int32_t> found = unlocked(columns, [&] { return query::find(pattern, columns); });
    return nb::cast(as_array(std::move(found)));
}

}  // namespace

void query(nb::module_& core) {
    nb::module_ room = core.def_submodule("query", "Core of laconic.query.");
    nb::class_<Pattern>(room, "Pattern", "A pattern over trees; see core/query/query.hpp.")
        .def(nb::init<>())
        .def(
            "add_regex",
            [](Pattern& pattern, std::string_view expression, bool ignore_case, bool anywhere) {
                return appended(pattern.regexes, query::Regex(expression, ignore_case, anywhere));
            },
            "expression"_a, "ignore_case"_a, "anywhere"_a)
        .def("add_test", &add_test, "source"_a, "key"_a, "presence"_a, "values"_a, "regex"_a)
        .def("add_relation", &add_relation, "symbol"_a, "label"_a, "node"_a, "least"_a, "most"_a, "name"_a = -1,
             "same_arc"_a = false)
        .def("add_group", &add_group, "kind"_a, "parts"_a)
        .def("add_node", &add_node, "tests"_a, "negated"_a, "name"_a, "expression"_a)
        .def("add_part", &add_part, "node"_a)
        .def_prop_ro("names", [](const Pattern& pattern) { return pattern.names; })
        .def("find", &find, "columns"_a,
             nb::sig("def find(self, columns: laconic._core.corpus.Columns) -> numpy.typing.NDArray[numpy.int32]"),
             "Words of all matches, one after another: that of the first node, then that of each name, -1 for none.");
    room.def(
        "regex_matches",
        [](std::string_view expression, const std::vector<std::string>& texts, bool ignore_case, bool anywhere) {
            const query::Regex regex(expression, ignore_case, anywhere);
            query::RegexMatcher matcher(regex);
            std::vector<bool> found;
            for (const std::string& text : texts) found.push_back(matcher.matches(text));
            return found;
        },
        "expression"_a, "texts"_a, "ignore_case"_a = false, "anywhere"_a = false,
        "Which of the texts match a regular expression.");
}

}  // namespace laconic::bindings
