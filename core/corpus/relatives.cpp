#include "corpus/relatives.hpp"

namespace laconic::corpus {

namespace {

// The head of a word as an id of the sentence; 0 where it has none there.
std::uint32_t head_of(std::span<const std::int32_t> heads, std::uint32_t id) noexcept {
    const std::int32_t head = heads[id - 1];
    return head > 0 && static_cast<std::size_t>(head) <= heads.size() ? static_cast<std::uint32_t>(head) : 0;
}

}  // namespace

Ids children_of(std::span<const std::int32_t> heads, std::uint32_t id) {
    Ids found;
    for (std::uint32_t word = 1; word <= heads.size(); ++word)
        if (word != id && head_of(heads, word) == id) found.push_back(word);
    return found;
}

Ids subtree_of(std::span<const std::int32_t> heads, std::uint32_t id) {
    // Each word is walked up from once, until something is known of a word on the way.
    enum State : std::uint8_t { unknown, on_the_way, inside, outside };
    std::vector<State> states(heads.size() + 1, unknown);
    states[0] = outside;
    states[id] = inside;
    Ids path, found;
    for (std::uint32_t word = 1; word <= heads.size(); ++word) {
        std::uint32_t at = word;
        path.clear();
        while (states[at] == unknown) {
            states[at] = on_the_way;
            path.push_back(at);
            at = head_of(heads, at);
        }
        const State known = states[at] == inside ? inside : outside;  // a cycle is outside
        for (const std::uint32_t passed : path) states[passed] = known;
        if (states[word] == inside) found.push_back(word);
    }
    return found;
}

Ids ancestors_of(std::span<const std::int32_t> heads, std::uint32_t id) {
    Ids found;
    for (std::uint32_t at = head_of(heads, id); at != 0 && at != id && found.size() < heads.size();
         at = head_of(heads, at)) {
        if (!found.empty() && at == found.front()) break;
        found.push_back(at);
    }
    // A cycle further up was walked until there were as many as words: only its first round counts.
    if (found.size() == heads.size()) {
        std::vector<bool> seen(heads.size() + 1, false);
        std::size_t kept = 0;
        while (kept < found.size() && !seen[found[kept]]) seen[found[kept++]] = true;
        found.resize(kept);
    }
    return found;
}

}  // namespace laconic::corpus
