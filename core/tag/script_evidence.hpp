#pragma once
// Which scripts may make the lemma of a word that training did not show.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/frozen_map.hpp"
#include "features/plan.hpp"
#include "learn/labels.hpp"
#include "tag/script.hpp"

namespace laconic::tag {

using features::Atom;
using learn::Label;

// What a script cuts from a form, without regard to case, and which script it is: `sank` loses `ank`, not just three
// letters. A letter that doubles the one before it is the same for all letters: `stopped` loses what `planned` does.
// The same for all forms that are too short for the script.
[[nodiscard]] std::uint64_t cut_key(std::size_t script, const Script& rule, std::string_view form);

// A word and the first given value of a word that is written like it, such as VERB and `sink`. Without regard to case.
[[nodiscard]] Atom base_atom(Atom given, std::string_view word);

// What the texts at hand say for and against scripts.
class ScriptEvidence {
public:
    ScriptEvidence() : ScriptEvidence({}, {}, {}, {}, 1) {}
    // `cuts` are keys with the number of different forms that were seen to lose that to that script; `bases`,
    // ascending, are atoms of words that were seen as lemmas or where the form is the lemma. Throws ModelError unless
    // they are that and some script fits every form.
    ScriptEvidence(std::vector<Script> scripts, std::vector<std::uint64_t> cuts, std::vector<std::uint32_t> counts,
                   std::vector<Atom> bases, std::uint32_t minimum);

    [[nodiscard]] bool empty() const noexcept { return scripts_.empty(); }
    [[nodiscard]] std::size_t scripts() const noexcept { return scripts_.size(); }
    [[nodiscard]] const FrozenMap& cuts() const noexcept { return cuts_; }
    [[nodiscard]] const std::vector<Atom>& bases() const noexcept { return bases_; }

    // Of the scripts that are likely, those by which a form may be changed: what they cut must have been cut from
    // `minimum` different forms, or from one if that makes a known word. If `judge`, and some make a known word, these
    // alone. If none is left, those that change the case at most, likely or not. Never empty. Cost: a look-up or two
    // per script.
    void select(std::span<const Label> likely, std::string_view form, Atom given, bool judge,
                std::vector<Label>& chosen) const;

private:
    [[nodiscard]] bool makes_known_word(Label label, std::string_view form, Atom given, std::string& lemma) const;

    std::vector<Script> scripts_;
    FrozenMap cuts_;
    std::vector<Atom> bases_;
    std::vector<Label> plain_;  // scripts that change the case at most
    std::uint32_t minimum_;
};

}  // namespace laconic::tag
