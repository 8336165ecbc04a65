#include "tag/entities.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/hash.hpp"
#include "corpus/conllu_reader.hpp"
#include "learn/walk.hpp"

namespace laconic::tag {

namespace {

bool starts_document(const corpus::Columns& columns, std::size_t sentence) {
    std::string_view ignored;
    return std::ranges::any_of(columns.comments[sentence], [&](corpus::Span line) {
        return corpus::comment_value(columns.view(line), "newdoc", ignored);
    });
}

// The labels of one word: the one that those to the right see, and the one that history keeps.
struct Choice {
    Label label;
    Label noted;
};

// Everything that reading a batch needs, and the walk over its words from left to right.
class Walk {
public:
    // `history` is carried on from word to word and must outlive this.
    Walk(const Recogniser& recogniser, const corpus::Columns& columns, History& history)
        : recogniser_(recogniser),
          columns_(columns),
          history_(history),
          reader_(recogniser.plan, {recogniser.gazetteers, true}),
          rows_(recogniser.lexicon, columns),
          batch_(reader_, rows_, columns),
          context_(batch_, history, recogniser.atoms) {}

    // See learn/walk.hpp. Sentences ascend; a gap between them ends the document.
    template <class Decide>
    void sentence(std::uint32_t number, Decide&& decide) {
        visit(number, [&](TokenContext& context, std::uint32_t set, std::size_t word) {
            const Label label = decide(context, recogniser_.transitions.sets()[set], word);
            return Choice{label, label};
        });
    }
    // The same with the number of the set of candidates: decide(context, set, word) gives the Choice.
    template <class Decide>
    void visit(std::uint32_t number, Decide&& decide) {
        if ((last_ && number != *last_ + 1) || starts_document(columns_, number)) history_.start();
        last_ = number;
        const std::size_t begin = columns_.sentences[number];
        const std::size_t size = columns_.size_of(number);
        context_.enter(begin, begin + size);
        Label before = outside;
        for (std::size_t i = 0; i < size; ++i) {
            context_.focus(i);
            const bool may_start = recogniser_.may_start(context_.row());
            const Choice choice =
                decide(context_, recogniser_.transitions.after(before, i + 1 == size, may_start), begin + i);
            context_.decided(recogniser_.atoms[choice.label]);
            // What can only be outside says nothing by being outside.
            if (may_start || choice.noted != outside) history_.note(rows_.hash(begin + i), choice.noted);
            history_.pass();
            before = choice.label;
        }
    }

    [[nodiscard]] const TokenReader& reader() const noexcept { return reader_; }
    [[nodiscard]] const features::WordRows& rows() const noexcept { return rows_; }

private:
    const Recogniser& recogniser_;
    const corpus::Columns& columns_;
    History& history_;
    TokenReader reader_;
    features::WordRows rows_;
    TokenBatch batch_;
    TokenContext context_;
    std::optional<std::uint32_t> last_;  // sentence
};

// What was decided at the first exit, by all that its templates read: most words stand where an equal one stood before.
class FirstExit {
public:
    FirstExit(const features::Plan& plan, const TokenReader& reader, std::span<const learn::Exit> exits) {
        if (exits.size() < 2) return;
        for (std::size_t j = 0; j < exits[0].depth; ++j)
            for (const std::uint16_t slot : plan[j]) {
                const TokenReader::Source& source = reader[slot];
                const bool of_the_form = source.kind == TokenReader::Source::word && source.offset == 0;
                if (!of_the_form && std::ranges::find(slots_, slot) == slots_.end()) slots_.push_back(slot);
            }
        if (slots_.size() <= most_slots) entries_.resize(std::size_t{1} << bits);
    }

    [[nodiscard]] bool remembers() const noexcept { return !entries_.empty(); }
    // The decision about a word of this type with this set of candidates in this context, and whether it is yet to be
    // made.
    std::pair<learn::Decision&, bool> find(TokenContext& context, std::uint32_t type, std::uint32_t set) noexcept {
        Key wanted{type, set};
        std::uint64_t hash = mix(type, set);
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            wanted.atoms[i] = context.atom(slots_[i]);
            hash = mix(hash, wanted.atoms[i]);
        }
        Entry& entry = entries_[(hash * 0x9e3779b97f4a7c15ULL) >> (64 - bits)];
        const bool is_new = entry.key != wanted;
        if (is_new) entry.key = wanted;
        return {entry.decision, is_new};
    }

private:
    static constexpr std::size_t most_slots = 4;
    static constexpr unsigned bits = 11;
    struct Key {
        std::uint32_t type = 0xffffffff, set = 0;
        std::array<Atom, most_slots> atoms{};
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        learn::Decision decision{};
    };

    std::vector<std::uint16_t> slots_;
    std::vector<Entry> entries_;
};

}  // namespace

Transitions::Transitions(std::size_t types) : sets_(bilou_labels(types)), never_(sets_.add({outside})) {
    std::vector<Label> closed{outside}, closed_last{outside};
    for (std::size_t t = 0; t < types; ++t) {
        const auto first = static_cast<Label>(bilou_labels(t));  // B, then I, L and U
        const auto label = [first](unsigned offset) { return static_cast<Label>(first + offset); };
        closed.insert(closed.end(), {label(0), label(3)});
        closed_last.push_back(label(3));
        open_.push_back(sets_.add({label(1), label(2)}));
        open_.push_back(sets_.add({label(2)}));
    }
    closed_ = {sets_.add(std::move(closed)), sets_.add(std::move(closed_last))};
}

void collect(learn::Examples& examples, const Recogniser& recogniser, const corpus::Columns& columns,
             std::span<const Label> gold, std::span<const Label> noted, std::span<const std::uint32_t> sentences) {
    const std::vector<std::uint32_t> single = examples.sets.add_singletons();
    History history(recogniser.atoms.size());
    Walk walk(recogniser, columns, history);
    for (const std::uint32_t sentence : sentences)
        walk.visit(sentence, [&](TokenContext& context, std::uint32_t set, std::size_t word) {
            if (examples.sets[set].size() > 1) examples.add(recogniser.plan, context, single[gold[word]], set);
            return Choice{gold[word], noted[word]};
        });
}

template <learn::Scorer T>
Labelled tag(const Recogniser& recogniser, const T& table, const corpus::Columns& columns,
             std::span<const learn::Exit> exits, History& history) {
    Walk walk(recogniser, columns, history);
    FirstExit first(recogniser.plan, walk.reader(), exits);
    auto scratch = scratch_for(table);
    Labelled result;
    result.labels.resize(columns.words());
    result.depths.resize(columns.words());
    const auto decide = [&](TokenContext& context, std::uint32_t set, std::size_t word) -> learn::Decision {
        const std::span<const Label> candidates = recogniser.transitions.sets()[set];
        if (candidates.size() == 1 || !first.remembers())
            return learn::decide(table, recogniser.plan, context, candidates, exits, scratch);
        const auto [entry, is_new] = first.find(context, walk.rows().ids()[word], set);
        if (!is_new && entry.margin >= exits[0].margin) return entry;
        clear(table, scratch);
        accumulate(table, recogniser.plan, 0, exits[0].depth, context, scratch);
        if (is_new) entry = lead(table, scratch, candidates, exits[0].depth);
        if (entry.margin >= exits[0].margin) return entry;
        return learn::decide_on(table, recogniser.plan, context, candidates, exits.subspan(1), scratch, exits[0].depth);
    };
    for (const std::uint32_t sentence : columns.all_sentences())
        walk.visit(sentence, [&](TokenContext& context, std::uint32_t set, std::size_t word) {
            const learn::Decision taken = decide(context, set, word);
            result.labels[word] = taken.label;
            result.depths[word] = taken.depth;
            return Choice{taken.label, taken.label};
        });
    result.rows = scratch.rows_read;
    return result;
}

template <learn::Scorer T>
Prefixes prefixes(const Recogniser& recogniser, const T& table, const corpus::Columns& columns,
                  std::span<const std::uint32_t> depths, std::span<const learn::Exit> exits,
                  std::span<const std::uint32_t> sentences) {
    auto scratch = scratch_for(table);
    Prefixes result;
    History history(recogniser.atoms.size());
    Walk walk(recogniser, columns, history);
    for (const std::uint32_t sentence : sentences)
        walk.sentence(sentence, [&](TokenContext& context, std::span<const Label> candidates, std::size_t) {
            learn::probe(table, recogniser.plan, context, candidates, depths, scratch, result);
            return learn::decide(table, recogniser.plan, context, candidates, exits, scratch).label;
        });
    return result;
}

template <learn::Scorer T>
std::vector<learn::Trace> traces(const Recogniser& recogniser, const T& table, const corpus::Columns& columns,
                                 std::span<const learn::Exit> exits, std::span<const std::uint32_t> sentences) {
    History history(recogniser.atoms.size());
    Walk walk(recogniser, columns, history);
    return learn::trace_words(walk, recogniser.plan, table, exits, sentences);
}

template Labelled tag(const Recogniser&, const learn::Table&, const corpus::Columns&, std::span<const learn::Exit>,
                      History&);
template Prefixes prefixes(const Recogniser&, const learn::Table&, const corpus::Columns&,
                           std::span<const std::uint32_t>, std::span<const learn::Exit>,
                           std::span<const std::uint32_t>);
template std::vector<learn::Trace> traces(const Recogniser&, const learn::Table&, const corpus::Columns&,
                                          std::span<const learn::Exit>, std::span<const std::uint32_t>);

}  // namespace laconic::tag
