#pragma once
// The features of possible arcs as training numbers them: those of one word once per sentence, those of two words for
// all heads of a modifier together, so that look-ups can be prefetched.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/arc_model.hpp"
#include "learn/index.hpp"

namespace laconic::graph {

// Serves one thread. The model must outlive it.
class CandidateFeatures {
public:
    CandidateFeatures(const ArcModel& model, const corpus::Columns& columns)
        : reader_(model.plan, model.lexicon.attributes(), model.pos),
          rows_(model.lexicon, columns),
          context_(reader_, rows_, columns),
          candidates_(model.lengths, reader_) {
        for (std::size_t t = 0; t < reader_.templates().size(); ++t) {
            const ArcReader::Parts& parts = reader_.templates()[t];
            sides_.push_back(parts.only(ArcReader::head)       ? ArcReader::head
                             : parts.only(ArcReader::modifier) ? ArcReader::modifier
                                                               : ArcReader::sibling);
        }
    }
    CandidateFeatures(const CandidateFeatures&) = delete;  // its parts refer to each other
    CandidateFeatures& operator=(const CandidateFeatures&) = delete;

    // Counts the features of the arcs of a tree.
    void count(std::size_t sentence, std::span<const std::int32_t> tree, learn::FeatureIndex& index) {
        context_.enter(sentence);
        for (Node word = 1; word <= context_.size(); ++word)
            for (std::size_t t = 0; t < sides_.size(); ++t)
                context_.visit_keys(t, tree[static_cast<std::size_t>(word) - 1], word, corpus::none,
                                    [&](std::uint64_t key) { index.count(key, static_cast<std::uint16_t>(t)); });
    }

    void enter(std::size_t sentence, const learn::FeatureIndex& index) {
        context_.enter(sentence);
        candidates_.enter(context_);
        const auto nodes = static_cast<std::size_t>(context_.size()) + 1;
        parts_.resize(nodes * sides_.size());
        of_words_.assign(nodes * sides_.size(), learn::no_feature);
        for (Node node = 0; node <= context_.size(); ++node)
            for (std::size_t t = 0; t < sides_.size(); ++t) {
                const std::size_t at = place(node, t);
                if (sides_[t] == ArcReader::sibling) {
                    parts_[at] = context_.part(t, ArcReader::head, node);
                } else if (sides_[t] == ArcReader::head || node != corpus::root) {
                    const auto look = [&](std::uint64_t key) { of_words_[at] = index.find(key); };
                    if (sides_[t] == ArcReader::head)
                        context_.visit_keys(t, node, corpus::none, corpus::none, look);
                    else
                        context_.visit_keys(t, corpus::none, node, corpus::none, look);
                }
            }
    }
    // The arcs to a word that are looked at: its candidates and the gold one, by head in ascending order. Returns the
    // place of the gold one.
    std::uint32_t enter_word(Node modifier, Node gold) {
        modifier_ = modifier;
        candidates_.heads(modifier, heads_);
        const auto at = std::ranges::lower_bound(heads_, gold);
        const auto found = static_cast<std::uint32_t>(at - heads_.begin());
        if (at == heads_.end() || *at != gold) heads_.insert(at, gold);
        own_.clear();
        for (std::size_t t = 0; t < sides_.size(); ++t) own_.push_back(context_.part(t, ArcReader::modifier, modifier));
        return found;
    }

    [[nodiscard]] Node size() const noexcept { return context_.size(); }
    [[nodiscard]] const features::WordRows& rows() const noexcept { return rows_; }
    [[nodiscard]] std::size_t templates() const noexcept { return sides_.size(); }
    [[nodiscard]] std::span<const Node> heads() const noexcept { return heads_; }

    // Calls visit(feature) for the features of templates [first, last) that one word of an arc gives by itself.
    template <class Visit>
    void of_one_word(std::size_t first, std::size_t last, Node head, Node modifier, Visit&& visit) const {
        for (std::size_t t = first; t < last; ++t) {
            if (sides_[t] == ArcReader::sibling) continue;
            const learn::Feature feature = of_words_[place(sides_[t] == ArcReader::head ? head : modifier, t)];
            if (feature != learn::no_feature) visit(feature);
        }
    }
    // The same for one place.
    template <class Visit>
    void of_place(ArcReader::Place side, Node word, Visit&& visit) const {
        for (std::size_t t = 0; t < sides_.size(); ++t)
            if (sides_[t] == side && of_words_[place(word, t)] != learn::no_feature) visit(of_words_[place(word, t)]);
    }
    // Calls visit(arc, feature) for the features of two words of templates [first, last), arc after arc; arcs are
    // places among heads().
    template <class Visit>
    void of_two_words(std::size_t first, std::size_t last, std::span<const std::uint32_t> arcs,
                      const learn::FeatureIndex& index, Visit&& visit) {
        keys_.clear();
        for (const std::uint32_t arc : arcs)
            for (std::size_t t = first; t < last; ++t)
                if (sides_[t] == ArcReader::sibling)
                    context_.join(t, parts_[place(heads_[arc], t)], own_[t], no_part, heads_[arc], modifier_,
                                  corpus::none, [&](std::uint64_t key) {
                                      index.prefetch(key);
                                      keys_.push_back({key, arc});
                                  });
        for (const auto& [key, arc] : keys_)
            if (const learn::Feature feature = index.find(key); feature != learn::no_feature) visit(arc, feature);
    }

private:
    struct Found {
        std::uint64_t key;
        std::uint32_t arc;
    };

    [[nodiscard]] std::size_t place(Node node, std::size_t t) const noexcept {
        return static_cast<std::size_t>(node) * sides_.size() + t;
    }

    ArcReader reader_;
    features::WordRows rows_;
    ArcContext context_;
    Candidates candidates_;
    std::vector<ArcReader::Place> sides_;   // of each template: the one word that it reads; sibling for all others
    std::vector<std::uint64_t> parts_;      // that heads give to keys, by node and template
    std::vector<learn::Feature> of_words_;  // features of templates of one word, by node and template

    // The arcs to one word.
    Node modifier_ = corpus::none;
    std::vector<Node> heads_;
    std::vector<std::uint64_t> own_;  // parts of keys that the modifier gives
    std::vector<Found> keys_;
};

}  // namespace laconic::graph
