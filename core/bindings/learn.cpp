#include "base/random.hpp"
#include "bindings/scorer.hpp"
#include "learn/examples.hpp"

namespace laconic::bindings {

namespace {

#if defined(__clang__)
constexpr const char* compiler_name = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* compiler_name = "gcc " __VERSION__;
#else
constexpr const char* compiler_name = "unknown";
#endif

using namespace learn;

void bind_sets(nb::module_& room) {
    nb::class_<Exits>(room, "Exits", "Depths at which a decision may stop, and the lead it takes to do so.")
        .def("__len__", [](const Exits& self) { return self.list.size(); })
        .def("__getitem__", [](const Exits& self, std::size_t i) {
            if (i >= self.list.size()) throw nb::index_error();
            return std::make_tuple(self.list[i].depth, self.list[i].margin);
        });
    nb::class_<LabelSets>(room, "LabelSets", "Sets of labels, each stored once; set 0 holds every label.")
        .def(nb::init<std::size_t>(), "labels"_a)
        .def(
            "__init__",
            [](LabelSets* self, std::size_t labels, Input<std::uint32_t, 1> begins, Input<Label, 1> members) {
                new (self) LabelSets(labels, vector_of(begins), vector_of(members));
            },
            "labels"_a, "begins"_a, "members"_a)
        .def("add", &LabelSets::add, "members"_a)
        .def("__len__", &LabelSets::size)
        .def("__getitem__",
             [](const LabelSets& self, std::size_t set) {
                 if (set >= self.size()) throw nb::index_error();
                 return std::vector<Label>(self[set].begin(), self[set].end());
             })
        .def("begins", [](const LabelSets& self) { return copy_of(self.begins()); })
        .def("members", [](const LabelSets& self) { return copy_of(self.members()); });
}

void bind_table(nb::module_& room) {
    nb::class_<Table> table(room, "Table", "Frozen weights: linear rows.");
    table
        .def(
            "__init__",
            [](Table* self, std::size_t labels, double scale, Input<std::uint64_t, 1> directory,
               Input<std::uint8_t, 1> buckets, Input<std::uint32_t, 1> pairs) {
                unlocked(
                    [&] { new (self) Table(labels, scale, vector_of(directory), span_of(buckets), vector_of(pairs)); });
            },
            "labels"_a, "scale"_a, "directory"_a, "buckets"_a, "pairs"_a)
        .def_prop_ro("sparse", &Table::sparse)
        .def_prop_ro("stride", &Table::stride)
        .def_prop_ro("nbytes", [](const Table& self) { return self.bytes().size() + self.packed_pairs().size() * 4; })
        .def("directory", [](const Table& self) { return copy_of(self.directory()); })
        .def("buckets", [](const Table& self) { return copy_of(self.bytes()); })
        .def("pairs", [](const Table& self) { return as_array(self.packed_pairs()); })
        .def(
            "contains",
            [](const Table& self, Input<std::uint64_t, 1> keys, std::size_t template_index) {
                if (template_index >= self.templates()) throw nb::index_error();
                std::vector<std::uint8_t> found(keys.shape(0));
                for (std::size_t i = 0; i < found.size(); ++i)
                    found[i] = self.find(template_index, keys(i), self.bucket(template_index, keys(i))) != nullptr;
                return as_array(std::move(found));
            },
            "keys"_a, "template_index"_a)
        .def(
            "row",
            [](const Table& self, std::uint64_t key, std::size_t template_index) {
                if (template_index >= self.templates()) throw nb::index_error();
                std::vector<std::int8_t> row(self.labels());
                const std::uint8_t* slot = self.find(template_index, key, self.bucket(template_index, key));
                if (slot != nullptr && self.sparse())
                    for (const Pair pair : self.pairs(slot)) row[pair.label] = pair.weight;
                else if (slot != nullptr)
                    for (std::size_t y = 0; y < row.size(); ++y)
                        row[y] = static_cast<std::int8_t>(slot[dead_lanes + y]);
                return as_array(std::move(row));
            },
            "key"_a, "template_index"_a)
        .def(
            "accumulate",
            [](const Table& self, const features::Plan& plan, Atoms atoms, std::size_t first, std::size_t last) {
                check_rows(self.templates(), plan, atoms);
                if (first > last || last > plan.size())
                    throw std::invalid_argument("plan and range of templates do not fit together");
                const std::size_t labels = self.labels();
                std::vector<std::int32_t> sums(atoms.shape(0) * labels);
                Scratch scratch(self);
                unlocked([&] {
                    each_row(plan, atoms, [&](std::size_t i, ArrayContext& context) {
                        learn::accumulate(self, plan, first, last, context, scratch,
                                          std::span(sums).subspan(i * labels, labels));
                    });
                });
                return as_array(std::move(sums), {atoms.shape(0), labels});
            },
            "plan"_a, "atoms"_a, "first"_a, "last"_a,
            "Integer scores of each row of atoms by templates [first, last), in 32 bits: they never saturate.")
        .def(
            "predict",
            [](const Table& self, const Examples& examples, Input<std::uint32_t, 1> which) {
                check_finished(examples);
                if (examples.sets.labels() != self.labels() || examples.templates() != self.templates())
                    throw std::invalid_argument("the examples do not fit the table");
                check_numbers(span_of(which), examples.size(), "no such example");
                std::vector<Label> labels;
                Scratch scratch(self);
                unlocked([&] {
                    for (const std::uint32_t example : span_of(which)) {
                        std::ranges::fill(scratch.sums, std::int16_t{0});
                        for (const Feature feature : examples.run(example).features)
                            add_feature(self, examples.index.template_of(feature), examples.index.key(feature),
                                        scratch.sums);
                        labels.push_back(lead(self, scratch, examples.candidates(example), 0).label);
                    }
                });
                return as_array(std::move(labels));
            },
            "examples"_a, "which"_a, "The best candidates of some examples by the frozen weights.");
    bind_scorer(table);
}

void bind_trace(nb::module_& room) {
    nb::class_<Trace>(room, "Trace", "One decision, step by step; see core/learn/trace.hpp.")
        .def_prop_ro("label", [](const Trace& self) { return self.decision.label; })
        .def_prop_ro("depth", [](const Trace& self) { return self.decision.depth; })
        .def_prop_ro("margin", [](const Trace& self) { return self.decision.margin; })
        .def_ro("candidates", &Trace::candidates)
        .def_prop_ro(
            "looks",
            [](const Trace& self) {
                std::vector<std::tuple<std::uint32_t, std::uint32_t>> looks;
                for (const Look& look : self.looks) looks.emplace_back(look.features, look.found);
                return looks;
            },
            "Features looked up and found of each template.")
        .def(
            "scores",
            [](const Trace& self) {
                const std::size_t width = self.candidates.size();
                return as_array(std::vector(self.scores), {self.scores.size() / width, width});
            },
            "Integer scores of the candidates before the first template and after each.")
        .def_prop_ro(
            "checks",
            [](const Trace& self) {
                std::vector<std::tuple<std::uint32_t, Label, std::int32_t, std::int32_t>> checks;
                for (const Check& check : self.checks)
                    checks.emplace_back(check.depth, check.best, check.margin, check.needed);
                return checks;
            },
            "At each exit: depth, best label, its lead and the lead needed.");
    room.attr("NEVER") = never;
}

// Time of reading that many random rows of a table, in the given number of independent chains: the limit for any
// decision.
std::uint64_t read_random_rows(const Table& table, std::size_t reads, std::uint64_t seed) {
    Random random(seed);
    const std::size_t rows = table.bytes().size() / cache_line;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < reads; ++i)
        sum += table.bytes()[random.below(static_cast<std::uint32_t>(rows)) * cache_line];
    return sum;
}

}  // namespace

void learn(nb::module_& core) {
    nb::module_ room = core.def_submodule("learn", "Core of laconic.learn: the dynamic prefix classifier.");
    bind_sets(room);
    bind_table(room);
    bind_trace(room);
    room.def(
        "shuffled",
        [](std::uint32_t size, std::uint64_t seed) {
            std::vector<std::uint32_t> order(size);
            for (std::uint32_t i = 0; i < size; ++i) order[i] = i;
            Random random(seed);
            shuffle(std::span(order), random);
            return as_array(std::move(order));
        },
        "size"_a, "seed"_a, "The numbers below `size` in an order that depends on the seed alone.");
    room.def("read_random_rows", &read_random_rows, "table"_a, "reads"_a, "seed"_a, Unlocked(),
             "Reads that many random cache lines of a table: what the memory allows at best.");
    room.def("compiler", [] { return std::string(compiler_name); }, "The one that made this module.");
    room.def("instruction_set", &learn::instruction_set, "The one in use.");
    room.def("instruction_sets", &learn::instruction_sets, "Those that this machine has, the best last.");
    room.def("use_instruction_set", &learn::use_instruction_set, "name"_a,
             "One of instruction_sets(), or auto for the best; returns the one now in use. Results are the same.");
}

}  // namespace laconic::bindings
