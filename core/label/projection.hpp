#pragma once
// Vectors of the words of a sentence in their roles, each computed when it is first asked for.
//
// Most templates look at one word only: the word itself, a neighbour, a child. What those add depends on that word's
// type alone, the atoms that it has, so it is summed once per type of a batch. Since sums of rows are exact, it does
// not matter in which order or how often they are computed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features/plan.hpp"
#include "label/context.hpp"
#include "learn/factors.hpp"

namespace laconic::label {

// The templates of a plan by the words that they look at.
class TemplateGroups {
public:
    TemplateGroups(const features::Plan& plan, const EdgeReader& reader);

    // Templates that read the row of one word, or of each child of one word, and nothing else.
    struct Group {
        std::uint16_t address = 0;
        bool children = false;
        std::vector<std::uint16_t> templates;
    };
    // The first group has the templates that begin the plan and read the word in focus: they are its first part, and
    // what a word is by itself. It may be empty.
    [[nodiscard]] const std::vector<Group>& groups() const noexcept { return groups_; }
    // Templates that look at several words or at the tree.
    [[nodiscard]] const std::vector<std::uint16_t>& others() const noexcept { return others_; }
    [[nodiscard]] std::size_t first_part() const noexcept { return groups_[0].templates.size(); }

private:
    std::vector<Group> groups_;
    std::vector<std::uint16_t> others_;
};

// Numbers of the different rows of atoms in a batch.
class AtomRowTypes {
public:
    explicit AtomRowTypes(std::size_t width) : width_(width), slots_(1024, absent) {}

    std::uint32_t number(const Atom* row);
    [[nodiscard]] std::size_t size() const noexcept { return hashes_.size(); }

private:
    static constexpr std::uint32_t absent = 0xffffffffU;
    void grow();

    std::size_t width_;
    std::vector<std::uint64_t> hashes_;
    std::vector<Atom> rows_;
    std::vector<std::uint32_t> slots_;  // open addressing, at most half full
};

class Projections {
public:
    Projections(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                EdgeContext& context);

    // The nodes of the sentence that the context has entered.
    void enter();
    // The vector of a node in a role, by the templates of the first part or by all; valid until the next sentence.
    const float* first_part(std::size_t role, Node node) { return find(role, node, 0); }
    const float* whole(std::size_t role, Node node) { return find(role, node, 1); }

    std::uint64_t templates = 0;  // computed: once per node and part, whatever the roles
    std::uint64_t rows = 0;       // cache lines of weights, and of sums kept for a type

private:
    static constexpr std::uint32_t absent = 0xffffffffU;

    const float* find(std::size_t role, Node node, std::size_t part);
    void make(std::size_t role, Node node, std::size_t part, float* to);
    [[nodiscard]] std::uint32_t type_of(Node node);
    // The sums of a group for a word, in a role.
    const std::int16_t* sums_of(std::size_t group, Node word, std::size_t role);

    const features::Plan& plan_;
    const learn::FactorTable& table_;
    EdgeContext& context_;
    TemplateGroups groups_;
    AtomRowTypes types_;
    const std::vector<EdgeReader::Source>& sources_;
    learn::FactorRows found_;
    std::vector<std::size_t> begins_;  // of each role in a vector of all
    std::size_t width_ = 0;
    // Of each group and type: where its sums for all roles begin, or absent; which roles were summed.
    std::vector<std::vector<std::uint32_t>> kept_;
    std::vector<std::int16_t> kept_sums_;
    std::vector<std::uint8_t> kept_roles_;
    // Of the sentence.
    std::vector<std::uint32_t> node_types_;
    std::vector<std::uint8_t> made_;  // of each part, node and role
    std::vector<float> vectors_;
    std::vector<std::uint8_t> counted_;  // of each part and node
    struct Run {
        std::size_t begin = 0, size = 0;
        bool read = false;
    };
    std::vector<Run> others_;  // rows of the templates that look at several words
    std::vector<std::uint32_t> other_rows_;
    std::vector<std::int16_t> sums_;
};

}  // namespace laconic::label
