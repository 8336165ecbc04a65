#include "graph/arborescence.hpp"

namespace laconic::graph {

namespace {

std::size_t at(Node node) noexcept {
    return static_cast<std::size_t>(node);
}

}  // namespace

void Arborescence::enter(const Edges& edges, bool single_root) {
    words_ = edges.words();
    next_ = static_cast<Component>(words_ + 1);
    const std::size_t most = 2 * words_ + 1;
    joined_.resize(most);
    for (std::size_t i = 0; i < most; ++i) joined_[i] = static_cast<Component>(i);
    parent_.assign(most, 0);
    done_.assign(most, 0);
    on_path_.assign(most, 0);
    shift_.assign(most, 0);
    chosen_.resize(most);
    single_.resize(words_ + 1);
    orders_.assign(words_ + 1, {});
    sorted_.clear();
    Sum lowest = std::numeric_limits<Sum>::max(), highest = std::numeric_limits<Sum>::min();
    for (Node word = 1; at(word) <= words_; ++word) {
        Entry best{0, corpus::none, word};
        edges.each_alive(word, [&](Node head, Score score) {
            lowest = std::min<Sum>(lowest, score);
            highest = std::max<Sum>(highest, score);
            const bool last_resort = single_root && best.head == root;
            if (best.head == corpus::none || last_resort || score > best.value) best = {score, head, word};
        });
        single_[at(word)] = best;
    }
    root_price_ = single_root && lowest <= highest ? static_cast<Sum>(words_) * (highest - lowest) + 1 : 0;
    for (Node word = 1; at(word) <= words_; ++word)
        if (single_[at(word)].head == root) single_[at(word)].value -= root_price_;
}

Arborescence::Component Arborescence::find(Component component) noexcept {
    while (joined_[component] != component) component = joined_[component] = joined_[joined_[component]];
    return component;
}

Sum Arborescence::score(const Edges& edges, Node head, Node word) const noexcept {
    return edges.score(head, word) - (head == root ? root_price_ : 0);
}

bool Arborescence::advance(const Edges& edges, Entry& entry, Component component) {
    Order& order = orders_[at(entry.word)];
    const Sum now = score(edges, entry.head, entry.word);
    Node next = corpus::none;
    if (order.scans < most_scans) {
        ++order.scans;
        Sum highest = 0;
        edges.each_alive(entry.word, [&](Node head, Score) {
            const Sum value = score(edges, head, entry.word);
            if (value > now || (value == now && head <= entry.head)) return;  // had its turn
            if ((next != corpus::none && value <= highest) || find(static_cast<Component>(head)) == component) return;
            next = head;
            highest = value;
        });
    } else {
        if (order.end == 0) {
            order.begin = sorted_.size();
            edges.each_alive(entry.word, [&](Node head, Score) { sorted_.push_back(head); });
            order.end = sorted_.size();
            // Heads ascend: of equal ones the smaller stays first.
            const auto first = sorted_.begin() + static_cast<std::ptrdiff_t>(order.begin);
            std::stable_sort(first, sorted_.end(),
                             [&](Node a, Node b) { return score(edges, a, entry.word) > score(edges, b, entry.word); });
            order.at = static_cast<std::size_t>(std::find(first, sorted_.end(), entry.head) - sorted_.begin());
        }
        if (++order.at < order.end) next = sorted_[order.at];
    }
    if (next == corpus::none) return false;
    entry.value += score(edges, next, entry.word) - now;
    entry.head = next;
    return true;
}

bool Arborescence::choose(const Edges& edges, Component component) {
    if (component <= words_) {
        if (single_[component].head == corpus::none) return false;
        chosen_[component] = single_[component];
        return true;
    }
    std::vector<Entry>& heap = heaps_[component - words_ - 1];
    while (!heap.empty()) {
        if (find(static_cast<Component>(heap.front().head)) != component) {
            chosen_[component] = heap.front();
            chosen_[component].value += shift_[component];
            return true;
        }
        std::ranges::pop_heap(heap, worse);
        if (advance(edges, heap.back(), component))
            std::ranges::push_heap(heap, worse);
        else
            heap.pop_back();
    }
    return false;
}

// Makes one component of those on the path from the given place on.
Arborescence::Component Arborescence::contract(std::size_t first_on_path) {
    const std::span<const Component> cycle = std::span<const Component>(path_).subspan(first_on_path);
    const Component made = next_++;
    const std::size_t index = made - words_ - 1;
    if (heaps_.size() <= index) heaps_.resize(index + 1);
    if (members_.size() <= index) members_.resize(index + 1);
    std::vector<Entry>& heap = heaps_[index];
    heap.clear();
    members_[index].clear();
    const auto size_of = [&](Component part) { return part <= words_ ? 1 : heaps_[part - words_ - 1].size(); };
    const Component largest = std::ranges::max(cycle, {}, size_of);
    shift_[made] = shift_[largest] - chosen_[largest].value;
    if (largest > words_) std::swap(heap, heaps_[largest - words_ - 1]);
    for (const Component part : cycle) {
        members_[index].push_back(part);
        parent_[part] = made;
        joined_[part] = made;
        if (part == largest && part > words_) continue;
        const Sum change = shift_[part] - chosen_[part].value - shift_[made];
        const auto take = [&](Entry entry) {
            entry.value += change;
            heap.push_back(entry);
            std::ranges::push_heap(heap, worse);
        };
        if (part <= words_) {
            take(single_[part]);
        } else {
            for (const Entry& entry : heaps_[part - words_ - 1]) take(entry);
        }
    }
    return made;
}

// Each cycle is entered at one word: there it is broken, and its other members keep the edges that they chose.
void Arborescence::expand(std::span<Node> heads) {
    path_.clear();
    for (Component component = 1; component < next_; ++component)
        if (parent_[component] == 0) path_.push_back(component);
    while (!path_.empty()) {
        const Component component = path_.back();
        path_.pop_back();
        const Entry& edge = chosen_[component];
        heads[at(edge.word) - 1] = edge.head;
        for (auto inner = static_cast<Component>(edge.word); inner != component; inner = parent_[inner])
            for (const Component other : members_[parent_[inner] - words_ - 1])
                if (other != inner) path_.push_back(other);
    }
}

// A best tree that happens to have one root is the best of those with one root; only else are root edges priced.
bool Arborescence::decode(const Edges& edges, bool single_root, std::span<Node> heads) {
    if (!run(edges, false)) return false;
    const auto roots = [&] { return std::ranges::count(found_, root); };
    if (single_root && words_ > 0 && roots() != 1 && (!run(edges, true) || roots() != 1)) return false;
    std::ranges::copy(found_, heads.begin());
    return true;
}

bool Arborescence::run(const Edges& edges, bool single_root) {
    enter(edges, single_root);
    done_[0] = 1;
    for (Component start = 1; start <= words_; ++start) {
        Component component = find(start);
        if (done_[component]) continue;
        path_.assign(1, component);
        on_path_[component] = 1;
        for (;;) {
            if (!choose(edges, component)) return false;
            const Component from = find(static_cast<Component>(chosen_[component].head));
            if (done_[from]) break;
            component = from;
            if (on_path_[from]) {
                std::size_t first = path_.size() - 1;
                while (path_[first] != from) --first;  // as many steps as the cycle has members
                component = contract(first);
                path_.resize(first);
            }
            on_path_[component] = 1;
            path_.push_back(component);
        }
        for (const Component part : path_) done_[part] = 1;
    }
    found_.resize(words_);
    expand(found_);
    return true;
}

}  // namespace laconic::graph
