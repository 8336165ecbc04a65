#pragma once
// A text as characters, each run of white space as one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "text/classes.hpp"

namespace laconic::text {

// Arrays of equal length, one entry per character or run of white space. The text must outlive them. Linear.
class Characters {
public:
    // Throws InputError where the text has more characters than 31 bits can count.
    explicit Characters(std::string_view text);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] char32_t point(std::size_t i) const noexcept { return points_[i]; }  // U+0020 for white space
    [[nodiscard]] Code code(std::size_t i) const noexcept { return codes_[i]; }
    [[nodiscard]] bool white(std::size_t i) const noexcept { return codes_[i] == space_code; }
    // Of the white space at i. The other characters have none.
    [[nodiscard]] Gap gap(std::size_t i) const noexcept { return gaps_[i]; }
    // Where it begins, in bytes and in characters of the text; size() is the end of the text.
    [[nodiscard]] std::uint32_t byte(std::size_t i) const noexcept { return bytes_[i]; }
    [[nodiscard]] std::int32_t offset(std::size_t i) const noexcept { return offsets_[i]; }
    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    [[nodiscard]] std::string_view slice(std::size_t begin, std::size_t end) const noexcept {
        return text_.substr(bytes_[begin], bytes_[end] - bytes_[begin]);
    }

private:
    void add(char32_t point, Code code, Gap gap, std::size_t byte, std::size_t offset) noexcept;

    std::string_view text_;
    std::size_t size_ = 0;
    // Room for one entry per byte and the end; those from size_ on were never written.
    std::unique_ptr<char32_t[]> points_;
    std::unique_ptr<Code[]> codes_;
    std::unique_ptr<Gap[]> gaps_;
    std::unique_ptr<std::uint32_t[]> bytes_;
    std::unique_ptr<std::int32_t[]> offsets_;
};

}  // namespace laconic::text
