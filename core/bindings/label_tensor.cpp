#include <nanobind/stl/array.h>

#include "bindings/common.hpp"
#include "bindings/settings.hpp"
#include "label/arc_features.hpp"
#include "label/pair_tensor.hpp"
#include "label/tensor.hpp"
#include "label/tensor_trainer.hpp"

namespace laconic::bindings {

namespace {

using namespace label;
using Sentences = Input<std::uint32_t, 1>;
using Floats = Input<float, 1>;

// By how much a label may trail after each stage.
using Limits = std::tuple<float, float, float>;
Thresholds thresholds_of(const Limits& limits) {
    return {std::get<0>(limits), std::get<1>(limits), std::get<2>(limits)};
}

TensorSettings tensor_settings(nb::handle given) {
    TensorSettings settings;
    settings.first = attribute<std::uint32_t>(given, "first");
    settings.second = attribute<std::uint32_t>(given, "second");
    settings.length = attribute<bool>(given, "length");
    settings.loss = choice<TreeLoss>(attribute<std::string>(given, "loss"), "loss",
                                     {{"likelihood", TreeLoss::likelihood}, {"hinge", TreeLoss::hinge}});
    settings.start = choice<FactorStart>(attribute<std::string>(given, "start"), "start",
                                         {{"ones", FactorStart::ones}, {"decomposition", FactorStart::decomposition}});
    settings.rate = attribute<double>(given, "rate");
    settings.first_decay = attribute<double>(given, "first_decay");
    settings.second_decay = attribute<double>(given, "second_decay");
    settings.row_dropout = attribute<double>(given, "row_dropout");
    settings.largest_step = attribute<double>(given, "largest_step");
    settings.sparse_rate = attribute<double>(given, "sparse_rate");
    settings.seed = attribute<std::uint64_t>(given, "seed");
    return settings;
}

std::array<learn::Parameters*, 5> parts_of(TensorTrainer& trainer) {
    return {&trainer.rows, &trainer.starts, &trainer.outputs, &trainer.upper, &trainer.lower};
}

void bind_training(nb::module_& room) {
    room.def(
        "count_types",
        [](const features::Plan& plan, const features::Lexicon& lexicon, const std::string& pos, const Columns& columns,
           Sentences sentences, std::uint32_t minimum) {
            check_lexicon(lexicon, plan);
            check_sentences(span_of(sentences), columns);
            const EdgeReader reader(plan, lexicon.attributes(), pos_column(pos));
            CountedTypes found = unlocked(columns, [&] {
                return count_types(reader.columns(), reader.pos(), lexicon, columns, span_of(sentences), minimum);
            });
            return as_arrays(std::move(found.keys), std::move(found.atoms));
        },
        "plan"_a, "lexicon"_a, "pos"_a, "columns"_a, "sentences"_a, "minimum"_a,
        "The types of the words of some sentences that were seen so often: keys, and what templates read of each.");
    room.def(
        "kinds_of_arcs",
        [](const features::Plan& plan, const features::Lexicon& lexicon, const std::string& pos, const Columns& columns,
           Sentences sentences, bool all_tags) {
            check_lexicon(lexicon, plan);
            check_sentences(span_of(sentences), columns);
            const EdgeReader reader(plan, lexicon.attributes(), pos_column(pos));
            const TagColumns tags = tag_columns(reader.columns(), reader.pos(), all_tags);
            auto found = unlocked(
                columns, [&] { return kinds_of_arcs(reader.columns(), tags, lexicon, columns, span_of(sentences)); });
            std::vector<std::uint64_t> all;
            for (const std::vector<std::uint64_t>& level : found) all.insert(all.end(), level.begin(), level.end());
            return as_array(std::move(all), {kind_levels, found[0].size()});
        },
        "plan"_a, "lexicon"_a, "pos"_a, "columns"_a, "sentences"_a, "all_tags"_a,
        "The kinds of the arcs of some sentences as keys: a row per level, the finest first.");
    nb::class_<LabelledTrees>(room, "LabelledTrees", "Trees to learn labels from.")
        .def(
            "__init__",
            [](LabelledTrees* self, const features::Plan& plan, const features::Lexicon& lexicon,
               const LabelCandidates& candidates, const std::string& pos, const Columns& columns,
               Input<learn::Label, 1> gold, Input<std::uint8_t, 1> teach, Sentences sentences, std::uint32_t cutoff) {
                check_lexicon(lexicon, plan);
                check_sentences(span_of(sentences), columns);
                if (gold.shape(0) != columns.words() || teach.shape(0) != columns.words())
                    throw std::invalid_argument("one gold label and one mark per word of the document");
                check_numbers(span_of(gold), candidates.sets().labels(), "no such label");
                if (candidates.priors().empty()) throw std::invalid_argument("candidates without priors");
                const corpus::Field field = pos_column(pos);
                unlocked(columns, [&] {
                    new (self) LabelledTrees(plan, lexicon, candidates, field, columns, span_of(gold), span_of(teach),
                                             span_of(sentences), cutoff);
                });
            },
            "plan"_a, "lexicon"_a, "candidates"_a, "pos"_a, "columns"_a, "gold"_a, "teach"_a, "sentences"_a, "cutoff"_a)
        .def("__len__", &LabelledTrees::size)
        .def_prop_ro("features", [](const LabelledTrees& self) { return self.index().size(); });
    nb::class_<ArcFeatures>(room, "ArcFeatures", "Features of arcs, for linear rows beside factors.")
        .def(
            "__init__",
            [](ArcFeatures* self, const features::Plan& plan, const features::Lexicon& lexicon, const std::string& pos,
               const Columns& columns, Sentences sentences, std::uint32_t cutoff) {
                check_lexicon(lexicon, plan);
                check_sentences(span_of(sentences), columns);
                const corpus::Field field = pos_column(pos);
                unlocked(columns,
                         [&] { new (self) ArcFeatures(plan, lexicon, field, columns, span_of(sentences), cutoff); });
            },
            "plan"_a, "lexicon"_a, "pos"_a, "columns"_a, "sentences"_a, "cutoff"_a)
        .def_prop_ro("features", [](const ArcFeatures& self) { return self.index().size(); });
    nb::class_<TensorTrainer>(room, "TensorTrainer", "Training weights of low-rank factors and what changes them.")
        .def(
            "__init__",
            [](TensorTrainer* self, const LabelledTrees& trees, const LabelCandidates& candidates, nb::handle settings,
               const ArcFeatures* sparse) {
                bool fit = candidates.sets().labels() == trees.labels();
                fit = fit && (sparse == nullptr || sparse->sentences() == trees.size());
                for (std::size_t i = 0; fit && sparse != nullptr && i < trees.size(); ++i)
                    fit = sparse->arcs(i) == trees.arcs(i).size();
                if (!fit) throw std::invalid_argument("trees, candidates and features do not fit together");
                new (self) TensorTrainer(trees, candidates, tensor_settings(settings), sparse);
            },
            "trees"_a, "candidates"_a, "settings"_a, "sparse"_a.none() = nb::none(), nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 5>(),
            "Settings are those of laconic.label.TensorSettings. With `sparse`, of the same sentences, linear rows "
            "learn "
            "beside the factors.")
        .def(
            "epoch",
            [](TensorTrainer& self, Sentences order, std::size_t batch, double first, double last, std::size_t stride) {
                if (batch == 0) throw std::invalid_argument("a batch has at least one sentence");
                check_numbers(span_of(order), self.sentences(), "no such sentence");
                self.clear_loss();
                self.epoch(span_of(order), batch, first, last, stride);
                return self.loss();
            },
            "order"_a, "batch"_a, "first"_a, "last"_a, "stride"_a, Unlocked(),
            "One pass; the rate goes from one share of itself to another. Returns the summed loss.")
        .def("use_average", &TensorTrainer::use_average, Unlocked(),
             "The average over training takes the place of the weights.")
        .def(
            "freeze",
            [](const TensorTrainer& self, int floor) {
                TensorTrainer::Frozen frozen = unlocked([&] { return self.freeze(floor); });
                return std::make_tuple(std::move(frozen.table), as_array(std::move(frozen.upper)),
                                       as_array(std::move(frozen.lower)), std::move(frozen.sparse));
            },
            "floor"_a, "The table, the label vectors of second-order products, and the table of linear rows, if any.")
        .def(
            "gradients",
            [](TensorTrainer& self, Sentences sentences) {
                check_numbers(span_of(sentences), self.sentences(), "no such sentence");
                self.clear_loss();
                for (std::size_t i = 0; i < sentences.shape(0); ++i) (void)self.add_loss(sentences(i));
                const auto parts = parts_of(self);
                return std::tuple_cat(std::make_tuple(self.loss()),
                                      as_arrays(parts[0]->drain(), parts[1]->drain(), parts[2]->drain(),
                                                parts[3]->drain(), parts[4]->drain()));
            },
            "sentences"_a, "The loss of some sentences, and its gradients by the parameters, part by part.")
        .def(
            "shift",
            [](TensorTrainer& self, std::size_t part, std::size_t place, double by) {
                const auto parts = parts_of(self);
                if (part >= parts.size() || place >= parts[part]->values().size()) throw nb::index_error();
                parts[part]->values()[place] += static_cast<float>(by);
                self.refresh();
            },
            "part"_a, "place"_a, "by"_a, "Changes one parameter; the parts are in the order of `gradients`.")
        .def(
            "values",
            [](TensorTrainer& self, std::size_t part) {
                const auto parts = parts_of(self);
                if (part >= parts.size()) throw nb::index_error();
                return copy_of(parts[part]->values());
            },
            "part"_a);
}

void bind_classifier(nb::module_& room) {
    nb::class_<TensorTrace>(room, "TensorTrace", "How one arc was labelled, stage by stage.")
        .def_ro("word", &TensorTrace::word)
        .def_prop_ro("stage", [](const TensorTrace& self) { return static_cast<int>(self.stage); })
        .def_ro("label", &TensorTrace::label)
        .def_ro("candidates", &TensorTrace::candidates)
        .def_ro("prior", &TensorTrace::prior)
        .def_ro("counted", &TensorTrace::counted)
        .def_ro("lead", &TensorTrace::lead)
        .def_ro("first", &TensorTrace::first)
        .def_ro("last", &TensorTrace::last);
    nb::class_<TensorModel>(room, "TensorClassifier", "Labels of whole trees by low-rank factors.")
        .def(
            "__init__",
            [](TensorModel* self, const features::Plan& plan, const features::Lexicon& lexicon,
               const LabelCandidates& candidates, const learn::FactorTable& table, const std::string& pos,
               Input<std::uint64_t, 1> keys, Input<features::Atom, 1> atoms, Input<std::uint64_t, 1> count_keys,
               Input<std::uint32_t, 1> count_answers, bool all_tags, Floats upper, Floats lower,
               const features::Plan* sparse_plan, const features::Lexicon* sparse_lexicon,
               const learn::Table* sparse_table) {
                check_lexicon(lexicon, plan);
                const bool sparse = sparse_plan != nullptr && sparse_lexicon != nullptr;
                if (sparse != (sparse_table != nullptr)) throw std::invalid_argument("linear rows without templates");
                if (sparse) check_lexicon(*sparse_lexicon, *sparse_plan);
                new (self) TensorModel({plan,
                                        lexicon,
                                        candidates,
                                        table,
                                        pos_column(pos),
                                        vector_of(keys),
                                        vector_of(atoms),
                                        vector_of(count_keys),
                                        vector_of(count_answers),
                                        all_tags,
                                        vector_of(upper),
                                        vector_of(lower),
                                        {sparse_plan, sparse_lexicon, sparse_table}});
            },
            "plan"_a, "lexicon"_a, "candidates"_a, "table"_a, "pos"_a, "type_keys"_a, "type_atoms"_a, "count_keys"_a,
            "count_answers"_a, "all_tags"_a, "upper"_a, "lower"_a, "sparse_plan"_a.none() = nb::none(),
            "sparse_lexicon"_a.none() = nb::none(), "sparse_table"_a.none() = nb::none(), nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 14>(),
            nb::keep_alive<1, 15>(), nb::keep_alive<1, 16>(),
            "`type_keys` and `type_atoms` are those of count_types; `count_keys` are of kinds_of_arcs, `count_answers` "
            "have a label in their lower half and 256ths of its log odds in the upper one.")
        .def(
            "decide",
            [](const TensorModel& self, const Columns& columns, const Limits& limits, Floats temperatures,
               Sentences sentences) {
                check_sentences(span_of(sentences), columns);
                const auto positive = [](float value) { return std::isfinite(value) && value > 0; };
                if (temperatures.shape(0) != 0 &&
                    (temperatures.shape(0) != label::stages || !std::ranges::all_of(span_of(temperatures), positive)))
                    throw std::invalid_argument("one temperature above 0 per stage is needed, or none");
                TensorLabelled found = unlocked(columns, [&] {
                    return label::label(self, columns, thresholds_of(limits), span_of(temperatures),
                                        span_of(sentences));
                });
                const TensorWork& work = found.work;
                return std::make_tuple(as_array(std::move(found.labels)), as_array(std::move(found.stages)),
                                       as_array(std::move(found.confidences)),
                                       std::make_tuple(work.templates, work.rows, work.scores, work.pairs));
            },
            "columns"_a, "limits"_a, "temperatures"_a, "sentences"_a,
            "Label and stage of each arc, confidences if there are temperatures, and work: templates, cache lines, "
            "scores of labels, scores of pairs.")
        .def(
            "probe",
            [](const TensorModel& self, const Columns& columns, Sentences sentences) {
                check_sentences(span_of(sentences), columns);
                TensorProbe probe;
                TensorLabelled found =
                    unlocked(columns, [&] { return label::label(self, columns, {}, {}, span_of(sentences), &probe); });
                const std::size_t words = probe.gaps[0].size();
                const auto joined = [&](const std::array<std::vector<float>, dropping_stages>& some) {
                    std::vector<float> all;
                    for (const std::vector<float>& one : some) all.insert(all.end(), one.begin(), one.end());
                    return as_array(std::move(all), {some.size(), words});
                };
                return std::make_tuple(as_array(std::move(found.labels)), joined(probe.gaps), joined(probe.leads));
            },
            "columns"_a, "sentences"_a,
            "Labels of the full model; then how far the label of each word of the sentences trails, and the best one "
            "leads, after each stage that can drop labels: a row per stage.")
        .def(
            "traces",
            [](const TensorModel& self, const Columns& columns, const Limits& limits, Sentences sentences) {
                check_sentences(span_of(sentences), columns);
                return unlocked(columns,
                                [&] { return label::trace(self, columns, thresholds_of(limits), span_of(sentences)); });
            },
            "columns"_a, "limits"_a, "sentences"_a, "How each arc of the sentences is labelled.");
}

void bind_decomposition(nb::module_& room) {
    room.def(
        "decompose",
        [](const std::array<std::size_t, 3>& sizes, const std::vector<std::array<std::uint32_t, 3>>& places,
           const std::vector<float>& values, std::size_t rank, std::size_t sweeps, std::uint64_t seed) {
            if (places.size() != values.size()) throw std::invalid_argument("one value for each place");
            SparseTensor tensor{sizes, {}};
            for (std::size_t i = 0; i < places.size(); ++i) {
                for (std::size_t way = 0; way < sizes.size(); ++way)
                    if (places[i][way] >= sizes[way]) throw std::invalid_argument("a place outside the tensor");
                tensor.entries.push_back({places[i], values[i]});
            }
            Random random(seed);
            return decompose(tensor, rank, sweeps, random);
        },
        "sizes"_a, "places"_a, "values"_a, "rank"_a, "sweeps"_a, "seed"_a,
        "A sparse tensor of three ways as a sum of products of three vectors, of which the third has the scale.");
}

// The decoder alone, for tests: scores of single labels and of pairs as lists.
void bind_decoder(nb::module_& room) {
    room.def(
        "tree_labels",
        [](const std::vector<std::int32_t>& heads, const std::vector<std::vector<float>>& single,
           const std::vector<std::vector<float>>& pairs, bool probabilities) {
            if (const corpus::TreeFault fault = corpus::check_tree(heads); !fault.reason.empty() || heads.empty())
                throw std::invalid_argument("no tree");
            corpus::Tree tree;
            tree.enter(heads);
            if (single.size() != heads.size() || pairs.size() != heads.size())
                throw std::invalid_argument("scores for each word");
            std::vector<std::uint32_t> begins(2);
            std::vector<float> scores;
            for (const std::vector<float>& some : single) {
                if (some.empty()) throw std::invalid_argument("an arc without candidates");
                scores.insert(scores.end(), some.begin(), some.end());
                begins.push_back(static_cast<std::uint32_t>(scores.size()));
            }
            const auto pair = [&](Node m, std::span<float> to) {
                const std::vector<float>& some = pairs[static_cast<std::size_t>(m) - 1];
                if (some.empty()) return false;
                if (some.size() != to.size()) throw std::invalid_argument("a score for each pair");
                std::ranges::copy(some, to.begin());
                return true;
            };
            TreeLabels decoder;
            std::vector<std::uint32_t> chosen(heads.size() + 1);
            decoder.best(tree, {begins}, scores, pair, chosen);
            chosen.erase(chosen.begin());
            std::vector<float> chances(scores.size());
            double total = 0;
            std::vector<std::vector<float>> of_pairs(heads.size());
            if (probabilities)
                total =
                    decoder.marginals(tree, {begins}, scores, pair, chances, [&](Node m, std::span<const float> found) {
                        of_pairs[static_cast<std::size_t>(m) - 1].assign(found.begin(), found.end());
                    });
            return std::make_tuple(chosen, chances, of_pairs, total);
        },
        "heads"_a, "single"_a, "pairs"_a, "probabilities"_a = true,
        "The best candidate of each arc, the probability of each candidate and of each pair, and the logarithm of the "
        "sum over all labelings.");
}

}  // namespace

void label_tensor(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("label"));
    bind_training(room);
    bind_classifier(room);
    bind_decomposition(room);
    bind_decoder(room);
}

}  // namespace laconic::bindings
