#include "bindings/common.hpp"
#include "search/hashed_training.hpp"
#include "search/hidden_ablation.hpp"
#include "search/screening.hpp"

namespace laconic::bindings {

namespace {

using namespace laconic::search;
using Column = Input<features::Atom, 1>;
using Numbers = Input<std::uint32_t, 1>;
using Scores = Input<float, 2>;

// The columns of the slots of a plan, each over all decisions.
AtomColumns columns_of(const std::vector<Column>& columns, const Plan& plan, std::size_t decisions) {
    AtomColumns result;
    for (const Column& column : columns) {
        if (column.shape(0) != decisions) throw std::invalid_argument("a column does not fit the decisions");
        result.push_back(span_of(column));
    }
    if (result.size() != plan.slots().size() ||
        std::ranges::any_of(plan.slots(), [](const features::Slot& slot) { return slot.many; }))
        throw std::invalid_argument("one column for each slot of the plan, and no slot that is a set");
    return result;
}

// Scores of so many decisions, or none at all.
void check_scores(const Scores& scores, std::size_t rows, const DecisionAtoms& decisions, bool optional) {
    if (optional && scores.shape(0) == 0) return;
    if (scores.shape(0) != rows || scores.shape(1) != decisions.sets.labels())
        throw std::invalid_argument("the scores do not fit the decisions");
}

void check_chosen(const Numbers& chosen, const DecisionAtoms& decisions) {
    check_numbers(span_of(chosen), decisions.size(), "no such decision");
}

template <class Table>
void bind_ablation(nb::module_& room, const char* text) {
    room.def(
        "ablate",
        [](const Table& table, const DecisionAtoms& decisions, const Plan& plan, const std::vector<Column>& columns,
           Numbers chosen) {
            const AtomColumns given = columns_of(columns, plan, decisions.size());
            check_chosen(chosen, decisions);
            if (table.templates() != plan.size() || table.labels() != decisions.sets.labels())
                throw std::invalid_argument("the table does not fit templates and labels");
            return as_array(unlocked([&] { return ablate(table, decisions, plan, given, span_of(chosen)); }));
        },
        "table"_a, "decisions"_a, "plan"_a, "columns"_a, "chosen"_a, text);
}

void bind_training(nb::module_& room) {
    room.def(
        "train_hashed",
        [](const DecisionAtoms& decisions, const Plan& plan, const std::vector<Column>& columns, Numbers chosen,
           Scores offsets, std::size_t epochs, double rate, std::uint32_t cutoff, std::size_t places,
           std::uint64_t seed) {
            const AtomColumns given = columns_of(columns, plan, decisions.size());
            check_chosen(chosen, decisions);
            check_scores(offsets, decisions.size(), decisions, true);
            if (places == 0 || (places & (places - 1)) != 0 || places > (1ULL << 30))
                throw std::invalid_argument("the number of places is a power of two up to 2^30");
            return unlocked([&] {
                return train_hashed(decisions, plan, given, span_of(chosen), span_of(offsets),
                                    {epochs, static_cast<float>(rate), cutoff, places, seed});
            });
        },
        "decisions"_a, "plan"_a, "columns"_a, "chosen"_a, "offsets"_a, "epochs"_a, "rate"_a, "cutoff"_a, "places"_a,
        "seed"_a,
        "Weights of templates over columns, learned from the chosen decisions. With offsets, one row for each "
        "decision, "
        "they are learned as something that is added to these scores.");
    room.def(
        "score_hashed",
        [](const learn::HashedTable& table, const DecisionAtoms& decisions, const Plan& plan,
           const std::vector<Column>& columns, Numbers chosen, Scores offsets) {
            const AtomColumns given = columns_of(columns, plan, decisions.size());
            check_chosen(chosen, decisions);
            check_scores(offsets, decisions.size(), decisions, true);
            const std::size_t labels = decisions.sets.labels();
            if (table.templates() != plan.size() || table.labels() != labels)
                throw std::invalid_argument("the table does not fit templates and labels");
            return as_array(unlocked([&] {
                                return score_hashed(table, decisions, plan, given, span_of(chosen), span_of(offsets));
                            }),
                            {chosen.shape(0), labels});
        },
        "table"_a, "decisions"_a, "plan"_a, "columns"_a, "chosen"_a, "offsets"_a,
        "One row of scores for each chosen decision, added to its offsets if there are any.");
    room.def(
        "judge",
        [](const DecisionAtoms& decisions, Numbers chosen, Scores scores) {
            check_chosen(chosen, decisions);
            check_scores(scores, chosen.shape(0), decisions, false);
            Judged judged = unlocked([&] { return judge(decisions, span_of(chosen), span_of(scores)); });
            return as_arrays(std::move(judged.losses), std::move(judged.right));
        },
        "decisions"_a, "chosen"_a, "scores"_a,
        "The log loss of each chosen decision by its scores, and 1 where the best candidate is gold.");
    bind_ablation<learn::HashedTable>(
        room, "How much the log loss of the chosen decisions would rise in all without each of the templates.");
    bind_ablation<learn::HiddenTable>(
        room,
        "The same for hidden rows: the mean over the decisions replaces what a template adds; templates whose rows "
        "were merged go together.");
    room.def(
        "count_features",
        [](const DecisionAtoms& decisions, const Plan& plan, const std::vector<Column>& columns, Numbers chosen,
           std::uint32_t cutoff) {
            const AtomColumns given = columns_of(columns, plan, decisions.size());
            check_chosen(chosen, decisions);
            return as_array(unlocked([&] { return count_features(plan, given, span_of(chosen), cutoff); }));
        },
        "decisions"_a, "plan"_a, "columns"_a, "chosen"_a, "cutoff"_a,
        "How many features each template has, those seen less often than the cut-off left out.");
}

}  // namespace

void search_discovery(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("search"));
    bind_training(room);
    nb::class_<Screening>(room, "Screening", "What a model gets wrong on decisions that it did not see.")
        .def(
            "__init__",
            [](Screening* self, const DecisionAtoms& decisions, Numbers chosen, Scores scores) {
                check_chosen(chosen, decisions);
                check_scores(scores, chosen.shape(0), decisions, false);
                new (self) Screening(decisions, span_of(chosen), span_of(scores));
            },
            "decisions"_a, "chosen"_a, "scores"_a)
        .def(
            "gain",
            [](const Screening& self, const Plan& plan, const std::vector<Column>& columns, double ridge) {
                const AtomColumns given = columns_of(columns, plan, self.decisions());
                if (!(ridge > 0)) throw std::invalid_argument("the ridge must be above 0");
                return unlocked([&] { return self.gain(plan, given, ridge); });
            },
            "plan"_a, "columns"_a, "ridge"_a,
            "Fall of the log loss per decision by one step in each of the templates, fitted on one half of the "
            "decisions and measured on the other.");
}

}  // namespace laconic::bindings
