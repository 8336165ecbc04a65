#pragma once
// Extended prediction history (Ratinov & Roth 2009): what a form was labelled in the last words of the document.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/access.hpp"
#include "learn/labels.hpp"

namespace laconic::tag {

// Counts of labels by form over a window that moves on word by word. Noting and forgetting are one look-up each, seen()
// is one and a pass over the labels, however often the form stood there. Forms are told apart by their 64-bit hashes,
// so that a history outlives its batch and a huge document can come in pieces.
class History {
public:
    static constexpr std::size_t window = 1000;  // words
    static constexpr learn::Label none = 0xffff;

    mutable corpus::Access access{"history"};  // readers and writer at the moment

    explicit History(std::size_t labels) : labels_(labels), index_(buckets) {}

    void start();  // of a document: what came before is forgotten
    // What the present word was labelled: at most one note a word counts.
    void note(std::uint64_t form, learn::Label label);
    // On to the next word, whether the last was noted or not.
    void pass() noexcept {
        ++now_;
        if (held_ > 0 && notes_[oldest_].position + window < now_) forget();
    }

    // The most frequent label of the form in the window. Among equals the latest label of the form if it is one of
    // them, else the smallest; `none` if the form was not noted.
    [[nodiscard]] learn::Label seen(std::uint64_t form) const noexcept;
    [[nodiscard]] std::size_t labels() const noexcept { return labels_; }

    // What it holds, oldest first, so that a document can be gone on with by another process. `age` is in words.
    struct Kept {
        std::uint64_t form = 0;
        learn::Label label = 0;
        std::uint16_t age = 0;
    };
    [[nodiscard]] std::vector<Kept> kept() const;
    // As if it had noted these: labels must exist, and ages descend from the window on.
    void restore(std::span<const Kept> notes);

private:
    struct Note {
        std::uint64_t position = 0;
        std::uint16_t form = 0;
        learn::Label label = 0;
    };
    struct Form {
        std::uint64_t hash = 0;
        std::uint16_t notes = 0;
        learn::Label latest = 0;
    };
    static constexpr std::size_t buckets = 2048;  // at least twice the forms that a window holds

    [[nodiscard]] std::size_t bucket(std::uint64_t hash) const noexcept;  // where it is, or a free one for it
    void forget() noexcept;                                               // the oldest note
    void erase(std::size_t bucket) noexcept;

    std::size_t labels_;
    std::vector<std::uint16_t> index_;   // open addressing: 1 + number of the form, 0 for a free one
    std::vector<Form> forms_;            // in use, or listed in free_
    std::vector<std::uint16_t> counts_;  // forms x labels
    std::vector<std::uint16_t> free_;
    std::vector<Note> notes_;  // a ring
    std::size_t oldest_ = 0, held_ = 0;
    std::uint64_t now_ = 0;  // position of the present word
};

}  // namespace laconic::tag
