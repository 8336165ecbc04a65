#include "corpus/conllx.hpp"

#include <array>

#include "corpus/conllu_writer.hpp"

namespace laconic::corpus {

namespace {

constexpr std::size_t width = 10;
constexpr std::array<const char*, width> names{"ID",    "FORM", "LEMMA",  "CPOSTAG", "POSTAG",
                                               "FEATS", "HEAD", "DEPREL", "PHEAD",   "PDEPREL"};

struct Format {
    std::array<std::string_view, width> cells{};
    std::string misc{};

    static bool separates(const Line&) noexcept { return false; }
    static bool comments(const Line& line) noexcept { return line.text[0] == '#'; }
    static bool makes(Field field) noexcept { return field == Field::deps || field == Field::misc; }

    void read(const Line& line, Rows& rows) {
        if (const std::size_t found = split_tabs(line.text, cells); found != width)
            return rows.wrong_width(line, "10 fields with tabs between them", found);
        if (!rows.none_empty(line, cells, names)) return;
        rows.check_id(line, cells[0]);
        misc.clear();
        if (cells[8] != "_") add_entry(misc, "PHead", cells[8]);
        if (cells[9] != "_") add_entry(misc, "PDeprel", cells[9]);
        rows.add(line,
                 {rows.span(cells[1]), rows.span(cells[2]), rows.span(cells[3]), rows.span(cells[4]),
                  rows.span(cells[5]), rows.span(cells[7]), rows.made("_"), rows.made(misc.empty() ? "_" : misc)},
                 rows.head(line, cells[6]), static_cast<std::size_t>(cells[6].data() - line.text.data()));
    }
    static void finish(Rows& rows) { rows.check_heads(); }
};

}  // namespace

ReadResult read_conllx(std::string_view source, const ReadOptions& options) {
    Format format;
    return RowReader(source, options, format).run();
}

Written write_conllx(const Columns& columns) {
    check_heads(columns);
    Written written;
    const auto row = [&](std::size_t i, std::uint32_t id, std::string& out) {
        std::string phead = "_", pdeprel = "_";
        for_each_entry(columns.view(Field::misc, i), [&](std::string_view key, std::string_view value) {
            const bool held =
                (key == "PHead" && as_cell(value, phead)) || (key == "PDeprel" && as_cell(value, pdeprel));
            if (!held) lose(written.losses, "MISC entries");
        });
        if (columns.view(Field::deps, i) != "_") lose(written.losses, "DEPS values");
        out.append(std::to_string(id));
        for (const Field field : {Field::form, Field::lemma, Field::upos, Field::xpos, Field::feats})
            out.append("\t").append(columns.view(field, i));
        const std::int32_t head = columns.heads[i];
        out.append("\t").append(head == no_head ? "_" : std::to_string(head));
        out.append("\t").append(columns.view(Field::deprel, i)).append("\t").append(phead).append("\t").append(pdeprel);
        return std::string();
    };
    write_rows(columns, [](std::string_view) { return true; }, [](std::size_t) {}, row, written);
    return written;
}

}  // namespace laconic::corpus
