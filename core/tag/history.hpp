#pragma once
// Extended prediction history (Ratinov & Roth 2009): what a form was labelled in the last words of the document.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "learn/labels.hpp"

namespace laconic::tag {

// Noting is one write; asking walks the occurrences of the form in the window, at most `window` of them. Nothing is
// allocated after construction. Forms are told apart by their 64-bit hashes, so that a history outlives its batch and a
// huge document can come in pieces.
class History {
public:
    static constexpr std::size_t window = 1000;  // words
    static constexpr learn::Label none = 0xffff;

    explicit History(std::size_t labels) : counts_(labels) {}

    void start() noexcept { first_ = noted_; }  // of a document: what came before is forgotten
    void note(std::uint64_t form, learn::Label label) noexcept;
    void pass() noexcept { ++now_; }  // on to the next word, whether the last was noted or not

    // The most frequent label of the form in the window, among equals the latest; `none` if it was not noted there.
    [[nodiscard]] learn::Label seen(std::uint64_t form) const noexcept;
    [[nodiscard]] std::size_t labels() const noexcept { return counts_.size(); }

private:
    struct Note {
        std::uint64_t form = 0, position = 0;
        std::uint64_t before = 0;  // the note before in the same bucket, counted from 1
        learn::Label label = 0;
    };
    static constexpr std::size_t buckets = 2048;

    std::array<Note, window> notes_{};
    std::array<std::uint64_t, buckets> last_{};  // the latest note of each bucket, counted from 1
    std::uint64_t noted_ = 0, first_ = 0;        // how many notes there were, and how many before this document
    std::uint64_t now_ = 0;                      // position of the word to come
    mutable std::vector<std::uint16_t> counts_;  // scratch, all zero between calls
};

}  // namespace laconic::tag
