#include "label/labeler.hpp"

#include <algorithm>

#include "corpus/tree.hpp"
#include "learn/hidden.hpp"
#include "learn/walk.hpp"

namespace laconic::label {

// Everything that reading a batch needs, and the walk over its arcs in the order of the model.
class Model::Walk {
public:
    Walk(const Model& model, const corpus::Columns& columns)
        : model_(model),
          columns_(columns),
          reader_(model.plan, model.lexicon.attributes(), model.pos),
          rows_(model.lexicon, columns),
          context_(reader_, rows_, columns) {}

    // See learn/walk.hpp; the word is the modifier of the arc.
    template <class Decide>
    void sentence(std::size_t number, Decide&& decide) {
        visit(number, [&](EdgeContext& context, std::uint32_t set, std::size_t word) {
            return decide(context, model_.candidates.sets()[set], word);
        });
    }
    // The same with the number of the set of candidates: decide(context, set, word).
    template <class Decide>
    void visit(std::size_t number, Decide&& decide) {
        const std::size_t begin = columns_.sentences[number];
        context_.enter(number);
        const auto arc = [&](Node modifier) {
            context_.focus(modifier);
            const Node head = context_.tree().head(modifier);
            const std::uint32_t entry =
                model_.candidates.entry(context_.tag(head), context_.tag(modifier), modifier > head);
            const Label label =
                decide(context_, model_.candidates.set_of(entry), begin + static_cast<std::size_t>(modifier) - 1);
            context_.decided(model_.atoms[label]);
        };
        const std::span<const Node> order = context_.tree().downwards();
        if (model_.order == Order::down)
            std::ranges::for_each(order, arc);
        else
            std::for_each(order.rbegin(), order.rend(), arc);
    }

private:
    const Model& model_;
    const corpus::Columns& columns_;
    EdgeReader reader_;
    features::WordRows rows_;
    EdgeContext context_;
};

std::vector<std::uint64_t> pair_keys(const corpus::Columns& columns, corpus::Field pos) {
    const std::vector<std::int32_t> all = check_heads(columns);
    std::vector<std::uint64_t> keys;
    keys.reserve(columns.words());
    const auto tag = [&](std::size_t word) { return features::atom(columns.view(pos, word)); };
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence) {
        const std::size_t begin = columns.sentences[sentence];
        for (std::size_t i = 0; i < columns.size_of(sentence); ++i) {
            const auto head = static_cast<std::size_t>(all[begin + i]);
            const Atom above = head == 0 ? features::nothing : tag(begin + head - 1);
            keys.push_back(pair_key(above, tag(begin + i), i + 1 > head));
        }
    }
    return keys;
}

void collect(learn::Examples& examples, const Model& model, const corpus::Columns& columns, std::span<const Label> gold,
             std::span<const std::uint8_t> teach, std::span<const std::uint32_t> sentences) {
    Model::Walk walk(model, columns);
    const std::vector<std::uint32_t> single = examples.sets.add_singletons();
    for (const std::uint32_t sentence : sentences)
        walk.visit(sentence, [&](EdgeContext& context, std::uint32_t set, std::size_t word) {
            const Label right = gold[word];
            const std::span<const Label> likely = model.candidates.sets()[set];
            const bool covered = std::ranges::binary_search(likely, right);
            // An arc with one candidate needs no decision: it teaches nothing.
            if (teach[word] != 0 && (!covered || likely.size() > 1))
                examples.add(model.plan, context, single[right], covered ? set : 0);
            return right;
        });
}

template <learn::Scorer T>
Labelled label(const Model& model, const T& table, const corpus::Columns& columns, std::span<const learn::Exit> exits,
               std::span<const double> temperatures) {
    Model::Walk walk(model, columns);
    return learn::label_words(walk, model.plan, table, columns, exits, temperatures);
}

template Labelled label(const Model&, const learn::Table&, const corpus::Columns&, std::span<const learn::Exit>,
                        std::span<const double>);
template Labelled label(const Model&, const learn::HiddenTable&, const corpus::Columns&, std::span<const learn::Exit>,
                        std::span<const double>);

}  // namespace laconic::label

template struct laconic::learn::WalkOutcomes<laconic::label::Model, laconic::learn::Table>;
template struct laconic::learn::WalkOutcomes<laconic::label::Model, laconic::learn::HiddenTable>;
