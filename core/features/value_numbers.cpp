#include "features/value_numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace laconic::features {

ValueNumbers::ValueNumbers() : entries_(64, Entry{0, number_of_others}) {
    insert(nothing, number_of_nothing);
    insert(root_atom, number_of_root);
}

ValueNumbers::Key ValueNumbers::key_of(const AtomColumn& column, const corpus::Columns& columns, std::size_t word) {
    const Atom atom = document_atom(column, columns, word);
    const std::vector<corpus::Field> fields = column.fields();
    if (fields.size() == 1) return atom;
    Key key = atom;
    for (const corpus::Field field : fields) key = mix(key, hash_bytes(columns.view(field, word)));
    return key;
}

std::size_t ValueNumbers::place(Key key) const noexcept {
    std::size_t at = key & (entries_.size() - 1);
    while (entries_[at].number != number_of_others && entries_[at].key != key) at = (at + 1) & (entries_.size() - 1);
    return at;
}

std::uint32_t ValueNumbers::find(Key key) const noexcept {
    return entries_[place(key)].number;
}

void ValueNumbers::add(Key key) {
    if (size_ == most || find(key) != number_of_others) return;
    insert(key, size_++);
    if (size_ > capacity_) capacity_ = std::min(most, (size_ + size_ / 4 + 15) / 16 * 16);
    if (2 * size_ > entries_.size()) {
        const std::vector<Entry> old =
            std::exchange(entries_, std::vector(2 * entries_.size(), Entry{0, number_of_others}));
        for (const Entry& entry : old)
            if (entry.number != number_of_others) insert(entry.key, entry.number);
    }
}

ColumnNumbers::ColumnNumbers(std::vector<AtomColumn> columns)
    : columns_(std::move(columns)), snapshot_(std::make_shared<Snapshot>(columns_.size())) {}

std::shared_ptr<const ColumnNumbers::Snapshot> ColumnNumbers::now() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

std::shared_ptr<const ColumnNumbers::Snapshot> ColumnNumbers::with(std::size_t column,
                                                                   std::span<const ValueNumbers::Key> values) {
    const std::lock_guard lock(mutex_);
    auto next = std::make_shared<Snapshot>(*snapshot_);
    for (const ValueNumbers::Key value : values) (*next)[column].add(value);
    snapshot_ = std::move(next);
    return snapshot_;
}

namespace {

// The numbers of cells by where their strings lie: components write equal values as the same piece of the buffer, so
// that most strings need not be read.
class CellNumbers {
public:
    explicit CellNumbers(std::size_t words) : entries_(std::bit_ceil(std::clamp<std::size_t>(2 * words, 16, 2048))) {}

    template <class Number>
    std::uint32_t operator()(std::span<const corpus::Span> cells, Number&& number) {
        std::uint64_t hash = 0;
        for (const corpus::Span cell : cells) hash = mix(hash, cell.begin);
        Entry& entry = entries_[hash & (entries_.size() - 1)];
        const auto same = [](corpus::Span a, corpus::Span b) { return a.begin == b.begin && a.size == b.size; };
        if (!entry.filled || !std::ranges::equal(cells, std::span(entry.cells).first(cells.size()), same)) {
            entry.number = number();
            entry.filled = true;
            std::ranges::copy(cells, entry.cells.begin());
        }
        return entry.number;
    }

    static constexpr std::size_t most_cells = 3;

private:
    struct Entry {
        std::array<corpus::Span, most_cells> cells{};
        std::uint32_t number = 0;
        bool filled = false;
    };
    std::vector<Entry> entries_;
};

}  // namespace

NumberedWords::NumberedWords(ColumnNumbers& numbers, const WordRows& rows, const corpus::Columns& columns)
    : rows_(&rows), columns_(&columns), stride_(record_size(numbers.columns().size())) {
    records_.resize((columns.words() + 2 * columns.sentence_count()) * stride_);
    std::uint32_t* to = records_.data();
    for (std::size_t sentence = 0; sentence < columns.sentence_count(); ++sentence) {
        to = std::fill_n(to, stride_, number_of_nothing);
        to = std::fill_n(to, stride_, number_of_root);
        for (std::size_t word = columns.sentences[sentence]; word < columns.sentences[sentence + 1];
             ++word, to += stride_)
            to[type] = first_type + rows.ids()[word];
    }
    std::shared_ptr<const ColumnNumbers::Snapshot> snapshot = numbers.now();
    std::vector<ValueNumbers::Key> missing;
    for (std::size_t column = 0; column < numbers.columns().size(); ++column) {
        if (!fill(column, numbers.columns()[column], (*snapshot)[column], missing)) {
            snapshot = numbers.with(column, missing);
            missing.clear();
            (void)fill(column, numbers.columns()[column], (*snapshot)[column], missing);
        }
        capacities_.push_back((*snapshot)[column].capacity());
    }
}

bool NumberedWords::fill(std::size_t column, const AtomColumn& source, const ValueNumbers& values,
                         std::vector<ValueNumbers::Key>& missing) {
    const std::vector<corpus::Field> fields = source.fields();
    const bool full = values.size() == ValueNumbers::most;
    CellNumbers known(columns_->words());
    std::array<corpus::Span, CellNumbers::most_cells> cells{};
    std::uint32_t* to = records_.data() + first_column + column;
    for (std::size_t sentence = 0; sentence < columns_->sentence_count(); ++sentence) {
        to += 2 * stride_;
        for (std::size_t word = columns_->sentences[sentence]; word < columns_->sentences[sentence + 1];
             ++word, to += stride_) {
            for (std::size_t i = 0; i < fields.size(); ++i) cells[i] = (*columns_)[fields[i]][word];
            *to = known(std::span(cells).first(fields.size()), [&] {
                const ValueNumbers::Key key = ValueNumbers::key_of(source, *columns_, word);
                const std::uint32_t number = values.find(key);
                if (number == number_of_others && !full) missing.push_back(key);
                return number;
            });
        }
    }
    return missing.empty();
}

void NumberedWords::enter(std::size_t sentence) noexcept {
    sentence_ = sentence;
    entered_ = records_.data() + (columns_->sentences[sentence] + 2 * sentence) * stride_;
}

}  // namespace laconic::features
