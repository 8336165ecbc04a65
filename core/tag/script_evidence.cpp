#include "tag/script_evidence.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/unicode.hpp"

namespace laconic::tag {

namespace {

std::uint64_t with_lower(std::uint64_t hash, std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        const unicode::Decoded next = unicode::decode(text, at);
        hash = mix(hash, unicode::lower(next.point));
        at += next.size;
    }
    return hash;
}

// The text without its first characters.
std::string_view behind(std::string_view text, std::size_t characters) noexcept {
    return text.substr(unicode::first(text, characters).size());
}

bool changes_case_at_most(const Script& script) noexcept {
    return script.cut_front == 0 && script.cut_back == 0 && script.front.empty() && script.back.empty();
}

}  // namespace

std::uint64_t cut_key(std::size_t script, const Script& rule, std::string_view form) {
    const std::size_t length = length_of(form);
    std::uint64_t key = mix(0x6a09e667f3bcc909ULL, script);
    if (rule.cut_front == Script::all) return with_lower(key, form);
    if (rule.needs() > length) return key;
    key = mix(with_lower(key, unicode::first(form, rule.cut_front)), rule.cut_back);
    const std::size_t kept = length - rule.cut_back;
    std::string_view cut = behind(form, kept);
    if (kept > rule.cut_front && rule.cut_back > 1) {
        const std::string_view last = behind(unicode::first(form, kept), kept - 1);
        // A doubled letter is one whatever the letter.
        if (unicode::lower(unicode::decode(last, 0).point) == unicode::lower(unicode::decode(cut, 0).point))
            cut = behind(cut, 1);
    }
    return with_lower(key, cut);
}

Atom base_atom(Atom given, std::string_view word) {
    return features::as_atom(with_lower(mix(0xbb67ae8584caa73bULL, given), word));
}

ScriptEvidence::ScriptEvidence(std::vector<Script> scripts, std::vector<std::uint64_t> cuts,
                               std::vector<std::uint32_t> counts, std::vector<Atom> bases, std::uint32_t minimum)
    : scripts_(std::move(scripts)),
      cuts_(std::move(cuts), std::move(counts), "the evidence for edit scripts"),
      bases_(std::move(bases)),
      minimum_(minimum) {
    for (std::size_t i = 0; i < scripts_.size(); ++i)
        if (changes_case_at_most(scripts_[i])) plain_.push_back(static_cast<Label>(i));
    if (!scripts_.empty() && plain_.empty()) throw ModelError("some edit script must fit every word");
    if (!std::ranges::is_sorted(bases_)) throw ModelError("the known words of the lemmatiser are damaged");
}

bool ScriptEvidence::makes_known_word(Label label, std::string_view form, Atom given, std::string& lemma) const {
    apply(scripts_[label], form, lemma);
    return std::ranges::binary_search(bases_, base_atom(given, lemma));
}

void ScriptEvidence::select(std::span<const Label> likely, std::string_view form, Atom given, bool judge,
                            std::vector<Label>& chosen) const {
    std::string lemma;
    chosen.clear();
    std::size_t known = 0;  // those that make a known word come first
    for (const Label label : likely) {
        const std::uint32_t count = cuts_.find(cut_key(label, scripts_[label], form));
        if (count == FrozenMap::absent) continue;
        if (makes_known_word(label, form, given, lemma))
            chosen.insert(chosen.begin() + static_cast<std::ptrdiff_t>(known++), label);
        else if (count >= minimum_)
            chosen.push_back(label);
    }
    if (judge && known > 0) chosen.resize(known);
    if (chosen.empty()) std::ranges::set_intersection(likely, plain_, std::back_inserter(chosen));
    if (chosen.empty()) chosen = plain_;
    std::ranges::sort(chosen);
}

}  // namespace laconic::tag
