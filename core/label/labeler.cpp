#include "label/labeler.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "corpus/tree.hpp"
#include "learn/hidden.hpp"
#include "learn/probability.hpp"
#include "learn/probe.hpp"

namespace laconic::label {

namespace {

void check_heads(const corpus::Columns& columns) {
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence) {
        const std::span<const std::int32_t> heads = columns.heads_of(sentence);
        const corpus::TreeFault fault = corpus::check_tree(heads);
        const bool absent = !heads.empty() && heads[0] == corpus::no_head;
        if (fault.reason.empty() && !absent) continue;
        throw InputError("sentence " + std::to_string(sentence + 1) + " cannot get labels: " +
                             (fault.reason.empty() ? std::string("it has no heads") : fault.reason),
                         "");
    }
}

// Everything that reading a batch needs, and the walk over its arcs.
class Walk {
public:
    Walk(const Model& model, const corpus::Columns& columns)
        : reader_(model.plan, model.lexicon.attributes(), model.pos),
          rows_(model.lexicon, columns),
          context(reader_, rows_, columns),
          model_(model) {
        check_heads(columns);
    }

    // Calls visit(index, set) for the arcs of a sentence in the order of the model, each in focus: the index of its
    // modifier in the sentence, from 0 on, and the number of its candidates.
    template <class Visit>
    void sentence(std::size_t number, Visit&& visit) {
        context.enter(number);
        const auto arc = [&](Node modifier) {
            context.focus(modifier);
            const Node head = context.tree().head(modifier);
            const std::uint64_t key = pair_key(context.tag(head), context.tag(modifier), modifier > head);
            visit(static_cast<std::size_t>(modifier) - 1, model_.candidates.find(key));
        };
        const std::span<const Node> order = context.tree().downwards();
        if (model_.order == Order::down)
            std::ranges::for_each(order, arc);
        else
            std::for_each(order.rbegin(), order.rend(), arc);
    }

private:
    EdgeReader reader_;
    features::WordRows rows_;

public:
    EdgeContext context;

private:
    const Model& model_;
};

}  // namespace

std::vector<std::uint64_t> pair_keys(const corpus::Columns& columns, corpus::Field pos) {
    check_heads(columns);
    std::vector<std::uint64_t> keys;
    keys.reserve(columns.words());
    const auto tag = [&](std::size_t word) { return features::atom(columns.view(pos, word)); };
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence) {
        const std::size_t begin = columns.sentences[sentence];
        const std::span<const std::int32_t> heads = columns.heads_of(sentence);
        for (std::size_t i = 0; i < heads.size(); ++i) {
            const auto head = static_cast<std::size_t>(heads[i]);
            const Atom above = head == 0 ? features::nothing : tag(begin + head - 1);
            keys.push_back(pair_key(above, tag(begin + i), i + 1 > head));
        }
    }
    return keys;
}

void collect(learn::Examples& examples, const Model& model, const corpus::Columns& columns, std::span<const Label> gold,
             std::span<const std::uint8_t> teach, std::span<const std::uint32_t> sentences) {
    Walk walk(model, columns);
    std::vector<std::uint32_t> single(model.atoms.size());
    for (std::size_t y = 0; y < single.size(); ++y) single[y] = examples.sets.add({static_cast<Label>(y)});
    for (const std::uint32_t sentence : sentences) {
        const std::size_t begin = columns.sentences[sentence];
        walk.sentence(sentence, [&](std::size_t index, std::uint32_t set) {
            const Label right = gold[begin + index];
            const std::span<const Label> likely = model.candidates.sets()[set];
            const bool covered = std::ranges::binary_search(likely, right);
            // An arc with one candidate is never asked about: it teaches nothing.
            if (teach[begin + index] != 0 && (!covered || likely.size() > 1))
                examples.add(model.plan, walk.context, single[right], covered ? set : 0);
            walk.context.decided(model.atoms[right]);
        });
    }
}

template <learn::Scorer T>
Labelled label(const Model& model, const T& table, const corpus::Columns& columns, std::span<const learn::Exit> exits,
               std::span<const double> temperatures) {
    Walk walk(model, columns);
    learn::ScratchOf<T> scratch(table);
    Labelled result;
    result.labels.resize(columns.words());
    result.depths.resize(columns.words());
    if (!temperatures.empty()) result.confidences.resize(columns.words());
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence) {
        const std::size_t begin = columns.sentences[sentence];
        walk.sentence(sentence, [&](std::size_t index, std::uint32_t set) {
            const std::span<const Label> likely = model.candidates.sets()[set];
            const learn::Decision taken = learn::decide(table, model.plan, walk.context, likely, exits, scratch);
            walk.context.decided(model.atoms[taken.label]);
            result.labels[begin + index] = taken.label;
            result.depths[begin + index] = taken.depth;
            if (!temperatures.empty())
                result.confidences[begin + index] = learn::confidence(table, scratch, taken, likely, temperatures);
        });
    }
    result.rows = scratch.rows_read;
    return result;
}

template <learn::Scorer T>
Prefixes prefixes(const Model& model, const T& table, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const learn::Exit> exits,
                  std::span<const std::uint32_t> sentences) {
    Walk walk(model, columns);
    learn::ScratchOf<T> scratch(table);
    Prefixes result;
    for (const std::uint32_t sentence : sentences) {
        const std::size_t before = result.leads.size();
        const std::size_t size = columns.sentences[sentence + 1] - columns.sentences[sentence];
        result.leads.resize(before + size * depths.size());
        result.labels.resize(before + size * depths.size());
        walk.sentence(sentence, [&](std::size_t index, std::uint32_t set) {
            const std::span<const Label> likely = model.candidates.sets()[set];
            std::size_t at = before + index * depths.size();
            learn::probe(table, model.plan, walk.context, likely, depths, scratch, [&](const learn::Decision& now) {
                result.leads[at] = now.margin;
                result.labels[at++] = now.label;
            });
            const learn::Decision taken = learn::decide(table, model.plan, walk.context, likely, exits, scratch);
            walk.context.decided(model.atoms[taken.label]);
        });
    }
    return result;
}

template <learn::Scorer T>
FinalScores final_scores(const Model& model, const T& table, const corpus::Columns& columns,
                         std::span<const learn::Exit> exits, std::span<const std::uint32_t> sentences) {
    Walk walk(model, columns);
    learn::ScratchOf<T> scratch(table);
    FinalScores result;
    // Decisions of a sentence come in the order of the walk and leave in the order of the words.
    FinalScores walked;
    std::vector<std::size_t> order;  // of each word: its decision
    for (const std::uint32_t sentence : sentences) {
        walked = {};
        order.resize(columns.sentences[sentence + 1] - columns.sentences[sentence]);
        walk.sentence(sentence, [&](std::size_t index, std::uint32_t set) {
            const std::span<const Label> likely = model.candidates.sets()[set];
            const learn::Decision taken = learn::decide(table, model.plan, walk.context, likely, exits, scratch);
            walk.context.decided(model.atoms[taken.label]);
            order[index] = walked.labels.size();
            learn::record(walked, table, scratch, taken, likely);
        });
        for (const std::size_t i : order) {
            result.labels.push_back(walked.labels[i]);
            result.depths.push_back(walked.depths[i]);
            result.gaps.insert(result.gaps.end(), walked.gaps.begin() + static_cast<std::ptrdiff_t>(walked.begins[i]),
                               walked.gaps.begin() + static_cast<std::ptrdiff_t>(walked.begins[i + 1]));
            result.begins.push_back(result.gaps.size());
        }
    }
    return result;
}

template Labelled label(const Model&, const learn::Table&, const corpus::Columns&, std::span<const learn::Exit>,
                        std::span<const double>);
template Labelled label(const Model&, const learn::HiddenTable&, const corpus::Columns&, std::span<const learn::Exit>,
                        std::span<const double>);
template Prefixes prefixes(const Model&, const learn::Table&, const corpus::Columns&, std::span<const std::uint32_t>,
                           std::span<const learn::Exit>, std::span<const std::uint32_t>);
template Prefixes prefixes(const Model&, const learn::HiddenTable&, const corpus::Columns&,
                           std::span<const std::uint32_t>, std::span<const learn::Exit>,
                           std::span<const std::uint32_t>);
template FinalScores final_scores(const Model&, const learn::Table&, const corpus::Columns&,
                                  std::span<const learn::Exit>, std::span<const std::uint32_t>);
template FinalScores final_scores(const Model&, const learn::HiddenTable&, const corpus::Columns&,
                                  std::span<const learn::Exit>, std::span<const std::uint32_t>);

}  // namespace laconic::label
