#include "corpus/conll2009.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "corpus/conllu_writer.hpp"

namespace laconic::corpus {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr std::string_view argument_key = "APred";
// Of one sentence, arguments counted: the square of its words, which a few bytes for each must not blow up.
constexpr std::size_t most_cells = std::size_t{1} << 26;

struct Carried {
    std::size_t column;
    std::string_view key;
    std::size_t otherwise;  // the column whose value it has by default; none: "_"
};

struct Shape {
    std::span<const char* const> names;  // of the columns before the arguments
    std::size_t form, lemma, pos, feats, head, deprel, fill, pred;
    std::span<const Carried> carried;

    [[nodiscard]] std::size_t width() const noexcept { return names.size(); }

    // The value of a carried column where nothing is said.
    template <class Cell>
    [[nodiscard]] std::string_view standard(const Carried& item, const std::vector<Cell>& cells) const {
        if (item.column == fill) return std::string_view(cells[pred]) == "_" ? "_" : "Y";
        return item.otherwise == none ? std::string_view("_") : std::string_view(cells[item.otherwise]);
    }
};

// PRED stands before FILLPRED, whose default depends on it.
constexpr const char* names_2009[] = {"ID",    "FORM", "LEMMA", "PLEMMA", "POS",     "PPOS",     "FEAT",
                                      "PFEAT", "HEAD", "PHEAD", "DEPREL", "PDEPREL", "FILLPRED", "PRED"};
constexpr Carried carried_2009[] = {{3, "PLemma", 2},    {5, "PPos", 4},     {7, "PFeat", 6},       {9, "PHead", 8},
                                    {11, "PDeprel", 10}, {13, "Pred", none}, {12, "FillPred", none}};
constexpr Shape shape_2009{names_2009, 1, 2, 4, 6, 8, 10, 12, 13, carried_2009};

constexpr const char* names_2008[] = {"ID",          "FORM",  "LEMMA", "GPOS",   "PPOS", "SPLIT_FORM",
                                      "SPLIT_LEMMA", "PPOSS", "HEAD",  "DEPREL", "PRED"};
constexpr Carried carried_2008[] = {
    {1, "Form", 5}, {2, "Lemma", 6}, {3, "GPos", 7}, {4, "PPos", 7}, {10, "Pred", none}};
constexpr Shape shape_2008{names_2008, 5, 6, 7, none, 8, 9, none, 10, carried_2008};

struct Format {
    const Shape& shape;
    std::vector<std::string_view> cells = std::vector<std::string_view>(64);
    std::vector<std::size_t> widths{};  // of the lines of the open sentence
    std::size_t predicates = 0;
    std::string misc{};

    static bool separates(const Line&) noexcept { return false; }
    static bool comments(const Line& line) noexcept { return line.text[0] == '#'; }
    [[nodiscard]] bool makes(Field field) const noexcept {
        return field == Field::upos || field == Field::deps || field == Field::misc ||
               (field == Field::feats && shape.feats == none);
    }

    void read(const Line& line, Rows& rows) {
        if (rows.lines.empty()) {
            widths.clear();
            predicates = 0;
        }
        std::size_t found = split_tabs(line.text, cells);
        if (found > cells.size()) {
            cells.resize(found);
            found = split_tabs(line.text, cells);
        }
        const std::size_t width = shape.width();
        if (found < width)
            return rows.wrong_width(line, "at least " + std::to_string(width) + " fields with tabs between them",
                                    found);
        static constexpr const char* argument[] = {"an argument"};
        const auto all = std::span<const std::string_view>(cells).first(found);
        if (!rows.none_empty(line, all.first(width), shape.names) ||
            !rows.none_empty(line, all.subspan(width), argument))
            return;
        rows.check_id(line, cells[0]);
        misc.clear();
        for (const Carried& item : shape.carried)
            if (cells[item.column] != shape.standard(item, cells)) add_entry(misc, item.key, cells[item.column]);
        for (std::size_t c = width; c < found; ++c)
            if (cells[c] != "_") add_entry(misc, std::string(argument_key) + std::to_string(c - width + 1), cells[c]);
        if (cells[shape.pred] != "_") ++predicates;
        widths.push_back(found);
        const Span empty = rows.made("_");
        rows.add(line,
                 {rows.span(cells[shape.form]), rows.span(cells[shape.lemma]), empty, rows.span(cells[shape.pos]),
                  shape.feats == none ? empty : rows.span(cells[shape.feats]), rows.span(cells[shape.deprel]), empty,
                  rows.made(misc.empty() ? "_" : misc)},
                 rows.head(line, cells[shape.head]),
                 static_cast<std::size_t>(cells[shape.head].data() - line.text.data()));
    }

    void finish(Rows& rows) {
        rows.check_heads();
        const std::size_t expected = shape.width() + predicates;
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (widths[i] != expected)
                return rows.wrong_width(rows.lines[i],
                                        std::to_string(expected) + " fields, of which " + std::to_string(predicates) +
                                            " are arguments, one for each predicate",
                                        widths[i]);
    }
};

// The number after "APred", 0 where there is none.
std::size_t argument_number(std::string_view key) {
    std::int32_t number = 0;
    if (!key.starts_with(argument_key) || !parse_number(key.substr(argument_key.size()), number)) return 0;
    return static_cast<std::size_t>(number);
}

class Writer {
public:
    Writer(const Columns& columns, const Shape& shape) : columns_(columns), shape_(shape) {}

    Written run() {
        check_heads(columns_);
        write_rows(
            columns_, [](std::string_view) { return true; }, [&](std::size_t s) { count_predicates(s); },
            [&](std::size_t i, std::uint32_t id, std::string& out) {
                row(i, id, out);
                return std::string();
            },
            written_);
        return std::move(written_);
    }

private:
    void count_predicates(std::size_t sentence) {
        std::size_t count = 0;
        const std::uint32_t begin = columns_.sentences[sentence], end = columns_.sentences[sentence + 1];
        for (std::uint32_t i = begin; i < end; ++i) {
            std::string predicate = "_";
            for_each_entry(columns_.view(Field::misc, i), [&](std::string_view key, std::string_view value) {
                if (key == "Pred") (void)as_cell(value, predicate);
            });
            if (predicate != "_") ++count;
        }
        if (count > most_cells / (end - begin))
            throw std::invalid_argument("sentence " + std::to_string(sentence) + " has " + std::to_string(end - begin) +
                                        " words and " + std::to_string(count) +
                                        " predicates: too many for a column each");
        cells_.assign(shape_.width() + count, {});
        given_.assign(cells_.size(), 0);
    }

    void row(std::size_t i, std::uint32_t id, std::string& out) {
        const std::size_t width = shape_.width();
        std::fill(given_.begin(), given_.end(), std::uint8_t{0});
        std::fill(cells_.begin(), cells_.end(), std::string(1, '_'));
        cells_[0] = std::to_string(id);
        cells_[shape_.form] = columns_.view(Field::form, i);
        cells_[shape_.lemma] = columns_.view(Field::lemma, i);
        const std::string_view upos = columns_.view(Field::upos, i), xpos = columns_.view(Field::xpos, i);
        cells_[shape_.pos] = xpos == "_" ? upos : xpos;
        if (upos != "_" && xpos != "_") lose(written_.losses, "UPOS values");
        if (shape_.feats != none)
            cells_[shape_.feats] = columns_.view(Field::feats, i);
        else if (columns_.view(Field::feats, i) != "_")
            lose(written_.losses, "FEATS values");
        if (const std::int32_t head = columns_.heads[i]; head != no_head) cells_[shape_.head] = std::to_string(head);
        cells_[shape_.deprel] = columns_.view(Field::deprel, i);
        if (columns_.view(Field::deps, i) != "_") lose(written_.losses, "DEPS values");

        for_each_entry(columns_.view(Field::misc, i), [&](std::string_view key, std::string_view value) {
            const auto item = std::find_if(shape_.carried.begin(), shape_.carried.end(),
                                           [&](const Carried& carried) { return carried.key == key; });
            const std::size_t argument = argument_number(key);
            std::size_t column = none;
            if (item != shape_.carried.end()) column = item->column;
            if (argument > 0 && argument <= cells_.size() - width) column = width + argument - 1;
            if (column == none || !as_cell(value, cells_[column])) return lose(written_.losses, "MISC entries");
            given_[column] = 1;
        });
        for (const Carried& item : shape_.carried)
            if (given_[item.column] == 0) cells_[item.column] = std::string(shape_.standard(item, cells_));
        for (std::size_t c = 0; c < cells_.size(); ++c) {
            if (c > 0) out += '\t';
            out.append(cells_[c]);
        }
    }

    const Columns& columns_;
    const Shape& shape_;
    Written written_;
    std::vector<std::string> cells_;
    std::vector<std::uint8_t> given_;
};

ReadResult read(std::string_view source, const ReadOptions& options, const Shape& shape) {
    Format format{.shape = shape};
    return RowReader(source, options, format).run();
}

}  // namespace

ReadResult read_conll2008(std::string_view source, const ReadOptions& options) {
    return read(source, options, shape_2008);
}
ReadResult read_conll2009(std::string_view source, const ReadOptions& options) {
    return read(source, options, shape_2009);
}
Written write_conll2008(const Columns& columns) {
    return Writer(columns, shape_2008).run();
}
Written write_conll2009(const Columns& columns) {
    return Writer(columns, shape_2009).run();
}

}  // namespace laconic::corpus
