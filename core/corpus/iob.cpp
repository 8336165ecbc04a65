#include "corpus/iob.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace laconic::corpus {

namespace {

constexpr std::array<std::string_view, field_count> field_names{"form",  "lemma",  "upos", "xpos",
                                                                "feats", "deprel", "deps", "misc"};
constexpr std::string_view column_key = "Column";

bool white(std::string_view text) noexcept {
    return text.find_first_not_of(" \t") == std::string_view::npos;
}

struct Format {
    const IobMap& map;
    std::vector<std::string_view> cells = std::vector<std::string_view>(map.columns.size());
    std::vector<std::string_view> tags{};  // of the open sentence
    std::vector<std::string> rest{};       // its other MISC entries
    std::vector<std::string> bio{};
    std::size_t entity_column = static_cast<std::size_t>(
        std::find(map.columns.begin(), map.columns.end(), IobMap::entity) - map.columns.begin());

    static bool separates(const Line& line) noexcept { return white(line.text); }
    [[nodiscard]] bool comments(const Line& line) const noexcept {
        if (line.text[0] != '#' || !map.has_comments()) return false;
        return map.columns[0] == IobMap::id || line.text.find('\t') == std::string_view::npos;
    }
    [[nodiscard]] bool makes(Field field) const noexcept { return !map.holds(field); }

    std::size_t split(std::string_view line) {
        if (map.separator == '\t') return split_tabs(line, cells);
        std::size_t count = 0;
        for (std::size_t begin = 0; begin <= line.size(); ++count) {
            const std::size_t end = std::min(line.find(map.separator, begin), line.size());
            if (count < cells.size()) cells[count] = line.substr(begin, end - begin);
            begin = end + 1;
        }
        return count;
    }

    void read(const Line& line, Rows& rows) {
        if (rows.lines.empty()) {
            tags.clear();
            rest.clear();
        }
        if (const std::size_t found = split(line.text); found != cells.size())
            return rows.wrong_width(line,
                                    std::to_string(cells.size()) + " fields with " +
                                        (map.separator == '\t' ? "tabs" : "single spaces") + " between them",
                                    found);
        std::array<Span, field_count> fields;
        fields.fill(rows.made("_"));
        std::string misc;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const int column = map.columns[c];
            const bool form = column == static_cast<int>(Field::form);
            if (cells[c].empty() && (map.separator != '\t' || !(form || column == IobMap::carried)))
                return rows.fault("field " + std::to_string(c + 1) + " is empty: expected a value", line, cells[c]);
            if (column != IobMap::carried && cells[c].find('\t') != std::string_view::npos)
                return rows.fault("a tab in field " + std::to_string(c + 1) + ": expected single spaces between fields",
                                  line, cells[c]);
            if (column == IobMap::id)
                rows.check_id(line, cells[c]);
            else if (column == IobMap::carried && cells[c] != "-")
                add_entry(misc, std::string(column_key) + std::to_string(c + 1), cells[c]);
            else if (column >= 0)
                fields[static_cast<std::size_t>(column)] = rows.span(cells[c]);
            if (form && cells[c].empty()) add_entry(misc, "EmptyForm", "Yes");
        }
        tags.push_back(cells[entity_column]);
        rest.push_back(std::move(misc));
        rows.add(line, fields, no_head, 0);
    }

    void finish(Rows& rows) {
        if (TagFault fault = to_bio(tags, map.scheme, bio); !fault.reason.empty())
            return rows.fault(std::move(fault.reason), rows.lines[fault.word], tags[fault.word]);
        std::string misc;
        for (std::size_t i = 0; i < bio.size(); ++i) {
            misc.clear();
            add_entry(misc, "NER", bio[i]);
            if (!rest[i].empty()) misc.append("|").append(rest[i]);
            rows.columns[Field::misc][rows.first_word() + i] = rows.made(misc);
        }
    }
};

class Writer {
public:
    Writer(const Columns& columns, const IobMap& map) : columns_(columns), map_(map), cells_(map.columns.size()) {}

    Written run() {
        for (const std::int32_t head : columns_.heads)
            if (head != no_head) lose(written_.losses, "heads");
        for (const Field field : {Field::lemma, Field::upos, Field::xpos, Field::feats, Field::deprel, Field::deps})
            if (!map_.holds(field))
                for (const Span span : columns_[field])
                    if (columns_.view(span) != "_") lose(written_.losses, lost_names[static_cast<std::size_t>(field)]);
        write_rows(
            columns_, [&](std::string_view comment) { return keeps(comment); }, [&](std::size_t s) { convert(s); },
            [&](std::size_t i, std::uint32_t id, std::string& out) { return row(i, id, out); }, written_);
        return std::move(written_);
    }

private:
    static constexpr std::array<const char*, field_count> lost_names{"forms",       "LEMMA values", "UPOS values",
                                                                     "XPOS values", "FEATS values", "DEPREL values",
                                                                     "DEPS values", "MISC entries"};

    // The tags of a sentence in the scheme of the file.
    void convert(std::size_t sentence) {
        std::vector<std::string> bio;
        for (std::uint32_t i = columns_.sentences[sentence]; i < columns_.sentences[sentence + 1]; ++i) {
            std::string tag;
            for_each_entry(columns_.view(Field::misc, i),
                           [&](std::string_view key, std::string_view value) { (void)entity(key, value, tag); });
            if (tag.empty()) lose(written_.losses, "words without an entity tag (written as O)");
            bio.push_back(tag.empty() ? "O" : std::move(tag));
        }
        const std::vector<std::string_view> views(bio.begin(), bio.end());
        lose(written_.losses, "entities that began with I-", from_bio(views, map_.scheme, tags_));
        sentence_ = sentence;
    }

    // Would the reader take it for a comment?
    [[nodiscard]] bool keeps(std::string_view comment) const noexcept {
        return map_.has_comments() && (map_.columns[0] == IobMap::id || comment.find('\t') == std::string_view::npos);
    }

    static bool entity(std::string_view key, std::string_view value, std::string& tag) {
        return key == "NER" && is_tag(value, Scheme::bio) && as_cell(value, tag);
    }

    std::string row(std::size_t i, std::uint32_t id, std::string& out) {
        std::string after;
        bool empty_form = false;
        std::fill(cells_.begin(), cells_.end(), std::string(1, '-'));
        for_each_entry(columns_.view(Field::misc, i), [&](std::string_view key, std::string_view value) {
            std::int32_t column = 0;
            std::string text;
            if (entity(key, value, text)) return;
            text = unescape(value);
            if (key == "EmptyForm" && value == "Yes" && map_.separator == '\t' &&
                columns_.view(Field::form, i) == "_") {
                empty_form = true;
            } else if (key == "After" && i + 1 == columns_.sentences[sentence_ + 1] && ends_sentence(text)) {
                after = text;
            } else if (key.starts_with(column_key) && parse_number(key.substr(column_key.size()), column) &&
                       column > 0 && static_cast<std::size_t>(column) <= cells_.size() &&
                       map_.columns[static_cast<std::size_t>(column) - 1] == IobMap::carried &&
                       text.find_first_of("\r\n") == std::string::npos) {
                cells_[static_cast<std::size_t>(column) - 1] = text;
            } else {
                lose(written_.losses, "MISC entries");
            }
        });
        for (std::size_t c = 0; c < cells_.size(); ++c) {
            const int column = map_.columns[c];
            if (column == IobMap::id)
                cells_[c] = std::to_string(id);
            else if (column == IobMap::entity)
                cells_[c] = tags_[i - columns_.sentences[sentence_]];
            else if (column >= 0)
                cells_[c] = columns_.view(static_cast<Field>(column), i);
            if (column == static_cast<int>(Field::form) && empty_form) cells_[c].clear();
            if (cells_[c].find(map_.separator) != std::string::npos || (cells_[c].empty() && map_.separator == ' '))
                throw std::invalid_argument("\"" + cells_[c] + "\" cannot be written between single " +
                                            (map_.separator == '\t' ? "tabs" : "spaces"));
            if (out.empty() && cells_[c].starts_with(byte_order_mark))
                throw std::invalid_argument("\"" + cells_[c] +
                                            "\" cannot stand first in a file: it begins with a byte order mark");
            if (c > 0) out += map_.separator;
            out.append(cells_[c]);
        }
        return after;
    }

    // Is it the end of the last line and then nothing but lines of white space, one at least if a sentence follows?
    [[nodiscard]] bool ends_sentence(std::string_view text) const noexcept {
        const std::string_view end = columns_.layouts[sentence_].crlf ? "\r\n" : "\n";
        if (!text.starts_with(end)) return false;
        text.remove_prefix(end.size());
        bool blank = sentence_ + 1 == columns_.sentence_count();
        for (std::size_t size; (size = text.find('\n')) != std::string_view::npos; text.remove_prefix(size + 1)) {
            std::string_view line = text.substr(0, size);
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (!white(line)) return false;
            blank = true;
        }
        return blank && white(text) && (text.empty() || sentence_ + 1 == columns_.sentence_count());
    }

    const Columns& columns_;
    const IobMap& map_;
    Written written_;
    std::vector<std::string> cells_;
    std::vector<std::string> tags_;
    std::size_t sentence_ = 0;
};

}  // namespace

IobMap::IobMap(const std::vector<std::string>& names, char separator, Scheme scheme)
    : separator(separator), scheme(scheme) {
    for (const std::string& name : names) {
        int column = carried;
        if (name == "id" || name == "entity") {
            column = name == "id" ? id : entity;
        } else if (name != "-") {
            const auto known = std::find(field_names.begin(), field_names.end() - 2, name);
            if (known == field_names.end() - 2)
                throw std::invalid_argument("unknown column \"" + name +
                                            "\": expected id, form, lemma, upos, xpos, feats, deprel, entity or -");
            column = static_cast<int>(known - field_names.begin());
        }
        if (column != carried && std::find(columns.begin(), columns.end(), column) != columns.end())
            throw std::invalid_argument("the column \"" + name + "\" stands twice in the map");
        columns.push_back(column);
    }
    if (!holds(Field::form) || std::find(columns.begin(), columns.end(), entity) == columns.end())
        throw std::invalid_argument("a map of columns needs form and entity, as in form,entity or id,form,entity,-,-");
    if (separator != '\t' && separator != ' ') throw std::invalid_argument("columns are separated by tabs or spaces");
}

bool IobMap::holds(Field field) const noexcept {
    return std::find(columns.begin(), columns.end(), static_cast<int>(field)) != columns.end();
}

ReadResult read_iob(std::string_view source, const ReadOptions& options, const IobMap& map) {
    Format format{.map = map};
    return RowReader(source, options, format).run();
}

Written write_iob(const Columns& columns, const IobMap& map) {
    return Writer(columns, map).run();
}

}  // namespace laconic::corpus
