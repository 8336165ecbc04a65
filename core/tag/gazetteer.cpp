#include "tag/gazetteer.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"

namespace laconic::tag {

Gazetteer::Gazetteer(features::Forms words, std::vector<std::uint32_t> begins, std::vector<std::uint32_t> entries)
    : words_(std::move(words)), begins_(std::move(begins)), entries_(std::move(entries)), ends_(1) {
    if (begins_.empty() || begins_.front() != 0 || begins_.back() != entries_.size())
        throw ModelError("the entries of a gazetteer do not fit together");
    std::unordered_map<std::uint64_t, std::uint32_t> tree;
    for (std::size_t i = 0; i < size(); ++i) {
        if (begins_[i] >= begins_[i + 1] || begins_[i + 1] - begins_[i] > longest || begins_[i + 1] > entries_.size())
            throw ModelError("an entry of a gazetteer has no words or too many");
        std::uint32_t node = 0;
        for (std::uint32_t j = begins_[i]; j < begins_[i + 1]; ++j) {
            if (entries_[j] >= words_.size()) throw ModelError("an entry of a gazetteer has a word that is not there");
            const auto [edge, is_new] =
                tree.try_emplace(key(node, entries_[j]), static_cast<std::uint32_t>(ends_.size()));
            if (is_new) ends_.push_back(0);
            node = edge->second;
        }
        ends_[node] = 1;
    }
    for (const auto& [from, to] : tree) edges_.push_back({from, to});
    std::ranges::sort(edges_, {}, &Edge::key);
}

std::uint32_t Gazetteer::child(std::uint32_t node, std::uint32_t word) const noexcept {
    const auto found = std::ranges::lower_bound(edges_, key(node, word), {}, &Edge::key);
    return found != edges_.end() && found->key == key(node, word) ? found->child : no_node;
}

std::vector<features::Atom> Gazetteer::match(const corpus::Columns& columns) const {
    const std::array<features::Atom, 4> positions{features::atom("B"), features::atom("I"), features::atom("L"),
                                                  features::atom("U")};
    std::vector<features::Atom> atoms(columns.words(), features::nothing);
    const std::shared_ptr<const corpus::FormTypes> types = columns.form_types();
    std::vector<std::uint32_t> numbers(types->size()), words(columns.words());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = words_.find(columns.view(types->forms()[i]), types->hashes()[i]);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = numbers[types->words()[i]];
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence) {
        const std::size_t end = columns.sentences[sentence + 1];
        for (std::size_t i = columns.sentences[sentence]; i < end;) {
            std::size_t covered = 0;
            std::uint32_t node = 0;
            for (std::size_t j = i; j < end && words[j] != features::Forms::absent; ++j) {
                node = child(node, words[j]);
                if (node == no_node) break;
                if (ends_[node] != 0) covered = j + 1 - i;
            }
            for (std::size_t j = 0; j < covered; ++j)
                atoms[i + j] = covered == 1       ? positions[3]
                               : j == 0           ? positions[0]
                               : j + 1 == covered ? positions[2]
                                                  : positions[1];
            i += std::max<std::size_t>(covered, 1);
        }
    }
    return atoms;
}

}  // namespace laconic::tag
