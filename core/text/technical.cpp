#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "text/keep.hpp"

namespace laconic::text {

namespace {

constexpr std::size_t longest_string = 150;  // characters

constexpr std::array<std::string_view, 72> extensions{
    "7z",  "avi", "bmp", "bz2", "cc",   "cfg",  "conf", "conllu", "cpp", "css",  "csv",  "cxx",  "dll", "doc",  "docx",
    "exe", "gif", "gz",  "hpp", "htm",  "html", "ini",  "ipynb",  "iso", "java", "jpeg", "jpg",  "js",  "json", "jsx",
    "log", "lua", "md",  "mov", "mp3",  "mp4",  "odt",  "pdf",    "php", "png",  "ppt",  "pptx", "py",  "pyi",  "rar",
    "rb",  "rs",  "rst", "rtf", "sh",   "sql",  "svg",  "tar",    "tgz", "tif",  "tiff", "toml", "ts",  "tsv",  "tsx",
    "txt", "wav", "whl", "xls", "xlsx", "xml",  "xz",   "yaml",   "yml", "zip",  "bin",  "tex"};

bool is_any(char32_t point, std::string_view set) noexcept {
    return point < 0x80 && set.find(static_cast<char>(point)) != std::string_view::npos;
}
bool is_digit(char32_t point) noexcept {
    return point >= '0' && point <= '9';
}
bool is_upper(char32_t point) noexcept {
    return point >= 'A' && point <= 'Z';
}
bool is_letter(char32_t point) noexcept {
    return is_upper(point) || (point >= 'a' && point <= 'z');
}

// What stands between white space, without the marks around it, where it is ASCII but for letters of hash tags.
class Chunk {
public:
    Chunk(const Characters& characters, std::size_t begin, std::size_t end)
        : characters_(characters), begin_(begin), size_(end - begin) {}

    [[nodiscard]] bool is_technical() const {
        return size_ > 1 && size_ <= longest_string &&
               (is_hash_tag() || is_language() || is_time_stamp() || is_path() || is_file());
    }

private:
    [[nodiscard]] char32_t operator[](std::size_t i) const noexcept { return characters_.point(begin_ + i); }

    template <class Test>
    [[nodiscard]] bool all(std::size_t from, std::size_t to, Test&& test) const {
        for (std::size_t i = from; i < to; ++i)
            if (!test((*this)[i])) return false;
        return true;
    }
    [[nodiscard]] bool is_hash_tag() const {
        if ((*this)[0] != '#' || is_digit((*this)[1])) return false;
        for (std::size_t i = 1; i < size_; ++i)
            if (!is_word(characters_.code(begin_ + i)) && (*this)[i] != '_') return false;
        return true;
    }
    [[nodiscard]] bool is_language() const {
        const std::size_t marks = size_ - 1;
        return is_upper((*this)[0]) &&
               ((marks == 1 && (*this)[1] == '#') || (marks == 2 && (*this)[1] == '+' && (*this)[2] == '+'));
    }
    [[nodiscard]] bool is_time_stamp() const {
        constexpr std::string_view shape = "0000-00-00T00:00";
        if (size_ < shape.size()) return false;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (shape[i] == '0' ? !is_digit((*this)[i]) : (*this)[i] != static_cast<unsigned char>(shape[i]))
                return false;
        return all(shape.size(), size_, [](char32_t c) { return is_digit(c) || is_any(c, ":.,+-Z"); });
    }
    [[nodiscard]] bool is_path() const {
        const auto in_path = [](char32_t c) { return is_letter(c) || is_digit(c) || is_any(c, "._-~+/\\@%"); };
        if (size_ > 3 && is_letter((*this)[0]) && (*this)[1] == ':' && (*this)[2] == '\\')
            return all(3, size_, in_path);
        if (!all(0, size_, in_path)) return false;
        std::size_t dots = 0;  // up to two, or a tilde, stand before the first slash
        while (dots < 2 && (*this)[dots] == '.') ++dots;
        if (dots == 0 && (*this)[0] == '~') dots = 1;
        if (dots + 1 >= size_ || (*this)[dots] != '/' || !(is_letter((*this)[dots + 1]) || (*this)[dots + 1] == '.'))
            return false;
        std::size_t slashes = 0;
        for (std::size_t i = dots; i < size_; ++i) slashes += (*this)[i] == '/' ? 1 : 0;
        return dots > 0 || slashes > 1;  // a lone slash in front is no path: `/s`
    }
    [[nodiscard]] bool is_file() const {
        std::size_t dot = size_ - 1;
        while (dot > 0 && (*this)[dot] != '.') --dot;
        if (dot == 0 || size_ - dot > 7) return false;
        std::string ending;
        for (std::size_t i = dot + 1; i < size_; ++i) {
            const char32_t c = (*this)[i];
            if (!is_letter(c) && !is_digit(c)) return false;
            ending.push_back(static_cast<char>(is_upper(c) ? c + 0x20 : c));
        }
        return std::ranges::find(extensions, ending) != extensions.end() &&
               all(0, dot, [](char32_t c) { return is_letter(c) || is_digit(c) || is_any(c, "._-/"); }) &&
               !is_any((*this)[0], "-/");
    }

    const Characters& characters_;
    std::size_t begin_, size_;
};

constexpr char32_t joiner = 0x200d;
constexpr char32_t first_joining = joiner;  // nothing below it is part of what stands before it

bool is_flag_letter(char32_t point) noexcept {
    return point >= 0x1f1e6 && point <= 0x1f1ff;
}

// Is the second of two neighbours part of the picture that the first belongs to, flags apart?
bool joins(char32_t point, char32_t next) noexcept {
    return next == joiner || next == 0x20e3 || (next >= 0xfe00 && next <= 0xfe0f) ||
           (next >= 0x1f3fb && next <= 0x1f3ff) || (next >= 0xe0020 && next <= 0xe007f) ||
           (point == joiner && next >= 0x2190);
}

}  // namespace

void keep_technical(const Characters& characters, std::span<Known> known) {
    const std::size_t size = characters.size();
    for (std::size_t at = 0; at < size; ++at) {
        if (characters.white(at)) continue;
        std::size_t begin = at, end = at, marks = 0;
        for (; end < size && !characters.white(end); ++end) marks += is_word(characters.code(end)) ? 0 : 1;
        at = end;
        if (marks == 0) continue;
        const auto opens = [&](char32_t c) { return is_any(c, "([{<\"'") || c == 0x2018 || c == 0x201c; };
        const auto closes = [&](char32_t c) {
            return is_any(c, ".,;:!?'\")]}>") || c == 0x2019 || c == 0x201d || c == 0x2026;
        };
        const std::size_t whole = end - begin;
        while (begin < end && opens(characters.point(begin))) ++begin;
        while (begin < end && closes(characters.point(end - 1))) --end;
        // Letters and digits alone are nothing of this kind.
        if (marks > whole - (end - begin) && Chunk(characters, begin, end).is_technical())
            keep_whole(characters, begin, end, known);
    }
}

void keep_clusters(const Characters& characters, std::span<Known> known) {
    std::size_t flag_letters = 0;  // in a row
    bool joined = false;           // is the character part of what stands before it?
    for (std::size_t i = 0; i < characters.size(); ++i) {
        if (!joined && (i + 1 == characters.size() || characters.point(i + 1) < first_joining)) {
            flag_letters = 0;
            continue;
        }
        const char32_t point = characters.point(i);
        flag_letters = is_flag_letter(point) ? flag_letters + 1 : 0;
        const bool more = i + 1 < characters.size() && !characters.white(i) &&
                          (joins(point, characters.point(i + 1)) ||
                           (flag_letters % 2 == 1 && is_flag_letter(characters.point(i + 1))));
        if (more)
            known[i] = Known::inside;
        else if (joined && known[i] == Known::nothing)
            known[i] = Known::end;
        joined = more;
    }
}

}  // namespace laconic::text
