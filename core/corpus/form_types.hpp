#pragma once
// The different forms of a document, each hashed once for all that look them up.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/span.hpp"

namespace laconic::corpus {

// Types are numbered from 0 in the order of their first appearance; equal numbers are equal forms.
class FormTypes {
public:
    // `forms` are pieces of `bytes`, which are not kept. Linear, also where somebody wrote forms whose hashes collide,
    // but for a logarithm.
    FormTypes(std::string_view bytes, std::span<const Span> forms);

    [[nodiscard]] std::size_t size() const noexcept { return hashes_.size(); }
    // The type of each word.
    [[nodiscard]] std::span<const std::uint32_t> words() const noexcept { return words_; }
    // Where each type stood first, and its hash.
    [[nodiscard]] std::span<const Span> forms() const noexcept { return forms_; }
    [[nodiscard]] std::span<const std::uint64_t> hashes() const noexcept { return hashes_; }

private:
    std::vector<std::uint32_t> words_;
    std::vector<Span> forms_;
    std::vector<std::uint64_t> hashes_;
};

// The types of a column of forms, made when they are first asked for and again when the column was changed. Any number
// of threads may ask. A copy remembers nothing.
class RememberedTypes {
public:
    RememberedTypes() = default;
    RememberedTypes(const RememberedTypes&) noexcept {}
    RememberedTypes& operator=(const RememberedTypes&) noexcept {
        types_ = nullptr;
        column_.clear();
        return *this;
    }

    [[nodiscard]] std::shared_ptr<const FormTypes> get(std::string_view bytes, const std::vector<Span>& forms);

private:
    std::mutex mutex_;
    std::vector<Span> column_;  // of which types_ are
    std::shared_ptr<const FormTypes> types_;
};

}  // namespace laconic::corpus
