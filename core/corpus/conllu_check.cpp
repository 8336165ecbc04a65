#include "corpus/conllu_check.hpp"

#include <array>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/unicode.hpp"
#include "corpus/conllu_reader.hpp"
#include "corpus/offsets.hpp"

namespace laconic::corpus {

namespace {

constexpr std::size_t width = 10, form_column = 1, feats_column = 5, deps_column = 8, misc_column = 9;
using Cells = std::array<std::string_view, width>;

// Name=Value, or several values: Case=Acc,Nom. Which names there are, and how they are written, is the treebank's
// choice.
bool is_feature(std::string_view item) noexcept {
    const std::size_t equals = item.find('=');
    if (equals == 0 || equals == std::string_view::npos) return false;
    char before = ',';
    for (const char c : item.substr(equals + 1)) {
        if (c == '=' || (c == ',' && before == ',')) return false;
        before = c;
    }
    return before != ',' && item.find(' ') == std::string_view::npos;
}

// Calls visit(item) for each part between bars, empty ones included, until it returns false.
template <class Visit>
void for_each_item(std::string_view cell, Visit&& visit) {
    while (true) {
        const std::size_t bar = cell.find('|');
        if (!visit(cell.substr(0, bar)) || bar == std::string_view::npos) return;
        cell.remove_prefix(bar + 1);
    }
}

bool white_at(std::string_view text, std::size_t at, std::size_t& size) noexcept {
    const unicode::Decoded read = unicode::decode(text, at);
    size = read.size;
    return read.point == ' ' || (read.point >= '\t' && read.point <= '\r') ||
           unicode::class_of(read.point) == unicode::Class::space;
}

std::size_t skip_white(std::string_view text, std::size_t at) noexcept {
    std::size_t size = 0;
    while (at < text.size() && white_at(text, at, size)) at += size;
    return at;
}

// The end of the form in the text from `at` on; npos where it does not stand there. White space in a form may be any in
// the text.
std::size_t behind(std::string_view text, std::size_t at, std::string_view form) noexcept {
    std::size_t size = 0;
    for (std::size_t i = 0; i < form.size();) {
        if (at >= text.size()) return std::string_view::npos;
        if (white_at(form, i, size)) {
            if (!white_at(text, at, size)) return std::string_view::npos;
            i = skip_white(form, i);
            at = skip_white(text, at);
        } else if (text[at++] != form[i++]) {
            return std::string_view::npos;
        }
    }
    return at;
}

enum class Gap { any, none, white };

class Checker {
public:
    Checker(std::string_view sentence, std::uint64_t first_line, bool whole, Faults& faults)
        : sentence_(sentence), first_line_(first_line), whole_(whole), faults_(faults) {}

    void run() {
        if (whole_) count_ids();
        Lines lines(sentence_, first_line_);
        Line line;
        while (lines.next(line)) {
            if (line.text[0] == '#') {
                has_text_ = has_text_ || comment_value(line.text, "text", text_);
                text_line_ = has_text_ && text_line_.number == 0 ? line : text_line_;
            } else if (split_tabs(line.text, cells_) == width) {
                check_feats(line);
                check_deps(line);
                if (whole_ && has_text_ && !contradicted_) check_form(line);
            }
        }
        if (whole_ && has_text_ && !contradicted_ && skip_white(text_, at_) < text_.size())
            faults_.add("the text goes on behind the last word: " + quote(text_.substr(skip_white(text_, at_))),
                        text_line_);
    }

private:
    // What DEPS can refer to.
    void count_ids() {
        empty_nodes_.assign(1, 0);
        Lines lines(sentence_, first_line_);
        Line line;
        while (lines.next(line)) {
            if (line.text[0] == '#') continue;
            const std::string_view id = line.text.substr(0, line.text.find('\t'));
            if (id.find('-') != std::string_view::npos) continue;
            if (id.find('.') == std::string_view::npos)
                empty_nodes_.push_back(0);
            else
                ++empty_nodes_.back();
        }
    }

    void add(std::string reason, const Line& line, std::string_view part) {
        faults_.add(std::move(reason), line, static_cast<std::size_t>(part.data() - line.text.data()));
    }

    void check_feats(const Line& line) {
        const std::string_view cell = cells_[feats_column];
        if (cell == "_") return;
        seen_.clear();
        bool malformed = false, repeated = false;
        for_each_item(cell, [&](std::string_view item) {
            const std::string_view name = item.substr(0, item.find('='));
            if (!malformed && !is_feature(item)) {
                malformed = true;
                add("FEATS has " + quote(item) + ": expected features such as Case=Nom with | between them", line,
                    item);
            }
            if (!repeated && !seen_.insert(name).second) {
                repeated = true;
                add("FEATS has " + quote(name) + " twice: expected each feature once", line, item);
            }
            return !malformed || !repeated;
        });
    }

    void check_deps(const Line& line) {
        const std::string_view cell = cells_[deps_column], id = cells_[0];
        if (cell == "_") return;
        if (id.find('-') != std::string_view::npos)
            return add("DEPS is " + quote(cell) + ": expected _ for a multiword token", line, cell);
        seen_.clear();
        for_each_item(cell, [&](std::string_view item) {
            const std::size_t colon = item.find(':');
            const std::string_view head = item.substr(0, colon);
            if (colon == std::string_view::npos || colon + 1 == item.size() || !is_node(head) ||
                item.find(' ') != std::string_view::npos) {
                add("DEPS has " + quote(item) + ": expected heads with relations such as 4:nsubj with | between them",
                    line, item);
                return false;
            }
            std::string reason;
            if (head == id)
                reason = "a word that is its own head";
            else if (!seen_.insert(item).second)
                reason = quote(item) + " twice";
            else if (whole_ && !exists(head))
                reason = quote(item) + ", but there is no word or empty node " + std::string(head);
            else
                return true;
            add("DEPS has " + reason, line, item);
            return false;
        });
    }

    // 4, or 4.1 for an empty node.
    static bool is_node(std::string_view id) noexcept {
        std::int32_t major = 0, minor = 0;
        const std::size_t dot = id.find('.');
        if (!parse_number(id.substr(0, dot), major)) return false;
        return dot == std::string_view::npos || (parse_number(id.substr(dot + 1), minor) && minor > 0);
    }

    [[nodiscard]] bool exists(std::string_view id) const noexcept {
        std::int32_t major = 0, minor = 0;
        const std::size_t dot = id.find('.');
        (void)parse_number(id.substr(0, dot), major);
        if (dot != std::string_view::npos) (void)parse_number(id.substr(dot + 1), minor);
        return static_cast<std::size_t>(major) < empty_nodes_.size() &&
               minor <= empty_nodes_[static_cast<std::size_t>(major)];
    }

    // The next token must stand in the text, and white space behind it unless it says SpaceAfter=No. What follows a
    // token that does not stand there is not looked at: it would mostly be the same fault.
    void check_form(const Line& line) {
        const std::string_view id = cells_[0], form = cells_[form_column], misc = cells_[misc_column];
        if (id.find('.') != std::string_view::npos) return;
        const std::size_t dash = id.find('-');
        std::int32_t first = 0, last = 0;
        (void)parse_number(id.substr(0, dash), first);
        if (dash != std::string_view::npos)
            (void)parse_number(id.substr(dash + 1), last);
        else if (first <= covered_)
            return;  // a word of a multiword token
        else
            last = first;
        covered_ = last;
        const std::size_t begin = skip_white(text_, at_), own = skip_white(form, 0);
        const std::size_t end = behind(text_, begin, form.substr(own));
        std::string_view value;
        if (end == std::string_view::npos) {
            add("the text goes on with " + quote(text_.substr(begin)) + ", but this token is " + quote(form), line,
                form);
            contradicted_ = true;
        } else if (own == 0 && gap_ == Gap::none && begin > at_ && !misc_value(misc, "SpacesBefore", value)) {
            add("the text has a space behind this token, which says SpaceAfter=No", previous_, previous_misc_);
        } else if (own == 0 && gap_ == Gap::white && begin == at_) {
            add("the text has no space behind this token: expected SpaceAfter=No", previous_, previous_misc_);
        }
        const bool joined = misc_value(misc, "SpaceAfter", value) && value == "No";
        // Where white space is the token itself, nothing is said of what is around it.
        gap_ = own == form.size() ? Gap::any : joined ? Gap::none : Gap::white;
        at_ = end;
        previous_ = line;
        previous_misc_ = misc;
    }

    std::string_view sentence_;
    std::uint64_t first_line_;
    bool whole_;
    Faults& faults_;
    Cells cells_{};
    std::unordered_set<std::string_view> seen_;
    std::vector<std::int32_t> empty_nodes_;  // behind each word, and in front of the first

    bool has_text_ = false, contradicted_ = false;
    std::string_view text_;
    Line text_line_{};
    std::size_t at_ = 0;  // in the text, behind the last token
    Gap gap_ = Gap::any;  // behind the last token
    Line previous_{};     // that of the last token
    std::string_view previous_misc_;
    std::int32_t covered_ = 0;  // id of the last word of the last token
};

}  // namespace

void check_content(std::string_view sentence, std::uint64_t first_line, bool whole, Faults& faults) {
    Checker(sentence, first_line, whole, faults).run();
}

}  // namespace laconic::corpus
