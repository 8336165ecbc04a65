"""What the language of a kind allows, its components read: every attribute, at every node and behind every step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from synthetic import conllu

from laconic._core.graph import ArcModel, Lengths
from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError
from laconic.features import KINDS, Kind, build_lexicon, compile_plan, parse_set, parse_template
from laconic.features.kinds import STEPS, Attribute
from laconic.graph import GraphConfig, GraphParser, SelectionSettings
from laconic.label import Labeler, LabelerConfig, TensorLabeler, TensorLabelerConfig, TensorSettings
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import EntityConfig, EntityTagger, Lemmatizer, LemmatizerConfig, Tagger, TaggerConfig
from laconic.text import Segmenter, SegmenterConfig
from laconic.transition import Parser, ParserConfig

SETTINGS = Settings(mode="full", epochs=1, cutoff=1)
NAMES = {"FEAT": "Number", "DICT": "names", "CLUSTER": "kinds"}


def written(attribute: Attribute) -> Iterator[str]:
    """The attribute with its lowest and its highest number."""
    numbers = sorted({attribute.numbers[0], attribute.numbers[-1]}) if attribute.numbers else []
    if attribute.named:
        numbers.append(0)
    for number in numbers or [0]:
        yield attribute.print(number, NAMES.get(attribute.name, ""))


def addresses(kind: Kind) -> Iterator[str]:
    """Every node, at its own index and at the outermost ones, every step from it, and its children."""
    for node in kind.nodes.values():
        for index in sorted({node.lowest, min(-1, node.highest) if node.lowest < 0 else 0, 0, node.highest}):
            yield node.print(index)
        for step in kind.steps:
            yield f"{node.print(0)} {step}"
            yield f"CHILDREN({node.print(0)} {step})"
        yield f"CHILDREN({node.print(0)})"


def allowed(kind: Kind, attribute: Attribute) -> tuple[list[str], list[InputError]]:
    """The terms of the attribute that the language takes, and why it does not take the others."""
    taken, refused = [], []
    for spelled in written(attribute):
        for address in addresses(kind):
            try:
                taken.append(str(parse_template(f"{spelled}({address})", kind)))
            except InputError as error:
                refused.append(error)
    return list(dict.fromkeys(taken)), refused


@pytest.fixture(scope="module")
def treebank() -> Doc:
    rows = [line.split("\t") for line in conllu(12, seed=5).split("\n")]
    for row in rows:
        if len(row) == 10:
            row[9] = "NER=B-X" if row[0] == "1" else "NER=O"
    return Doc.from_conllu("\n".join("\t".join(row) for row in rows))


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lists")
    (folder / "names.txt").write_text("Ada Stone\n", encoding="utf-8")
    (folder / "kinds.txt").write_text("0101\tAda\t1\n", encoding="utf-8")
    return folder


def copied(doc: Doc) -> Doc:
    return Doc.from_conllu(doc.to_conllu())


def fit_tagger(text: str, doc: Doc, lists: Path) -> None:
    """A tagger of a column that the templates do not read, and a lemmatizer unless they read lemmas."""
    read = parse_set(text, KINDS["token"]).columns
    for column in [column for column in ("upos", "feats") if column not in read][:1]:
        config = TaggerConfig(column=column, templates=text, settings=SETTINGS, folds=0)
        finished(Tagger.fit(config, TrainingData(doc))).apply(copied(doc))
    if "lemma" not in read:
        config = LemmatizerConfig(templates=text, settings=SETTINGS, folds=0)
        finished(Lemmatizer.fit(config, TrainingData(doc))).apply(copied(doc))


def fit_entities(text: str, doc: Doc, lists: Path) -> None:
    config = EntityConfig(
        templates=text,
        settings=SETTINGS,
        folds=0,
        history_folds=0,
        gazetteers={"names": str(lists / "names.txt")},
        clusters={"kinds": str(lists / "kinds.txt")},
    )
    finished(EntityTagger.fit(config, TrainingData(doc))).apply(copied(doc))


def fit_parser(doc: Doc, **given: str) -> None:
    config = ParserConfig(
        **{"templates": "UPOS(STACK0)", "label_templates": "UPOS(MOD)", **given},  # type: ignore[arg-type]
        scorer="linear",
        settings=SETTINGS,
        label_settings=SETTINGS,
        folds=0,
        scout=False,
    )
    finished(Parser.fit(config, TrainingData(doc))).apply(copied(doc))


def fit_labeler(text: str, doc: Doc, lists: Path) -> None:
    finished(Labeler.fit(LabelerConfig(templates=text, settings=SETTINGS, folds=0), TrainingData(doc))).apply(
        copied(doc)
    )


def fit_tensor_labeler(text: str, doc: Doc, lists: Path) -> None:
    config = TensorLabelerConfig(templates=text, settings=TensorSettings(epochs=1, cutoff=1), folds=0)
    finished(TensorLabeler.fit(config, TrainingData(doc))).apply(copied(doc))


def fit_segmenter(text: str, doc: Doc, lists: Path) -> None:
    finished(Segmenter.fit(SegmenterConfig(templates=text, settings=SETTINGS, folds=0), TrainingData(doc)))(
        "Ada sleeps. (Bo)"
    )


def fit_graph(text: str, doc: Doc, lists: Path) -> None:
    """A parser with the templates of arcs; those of siblings are read by its core alone."""
    templates = parse_set(text, KINDS["candidate"])
    plan = compile_plan(templates)
    codes, forms = doc.codes("form")
    lexicon = build_lexicon(plan, forms, np.bincount(codes, minlength=len(forms)))
    found = ArcModel(plan, lexicon, Lengths(), "upos", [len(plan)]).keys(doc.columns, 0, 1, 3, 2)
    assert len(found) == len(templates)
    first = "".join(f"{one}\n" for one in templates if "SIB" not in str(one))
    if first:
        settings = SelectionSettings(epochs=1, cutoff=1)
        config = GraphConfig(scorer="linear", templates=first, settings=settings, folds=0)
        finished(GraphParser.fit(config, TrainingData(doc))).apply(copied(doc))


COMPONENTS: dict[str, Callable[[str, Doc, Path], None]] = {
    "token": fit_tagger,
    "entity": fit_entities,
    "transition": lambda text, doc, _: fit_parser(doc, templates=text),
    "arc": lambda text, doc, _: fit_parser(doc, label_templates=text),
    "stepback": lambda text, doc, _: fit_parser(doc, templates=text, label_templates="UPOS(MOD)", system="step-back"),
    "char": fit_segmenter,
    "edge": fit_labeler,
    "node": fit_tensor_labeler,
    "candidate": fit_graph,
}
CASES = [(kind.name, name) for kind in KINDS.values() for name in kind.attributes]


@pytest.mark.parametrize(("kind_name", "name"), CASES)
def test_what_the_language_of_a_kind_takes_can_be_trained_on(
    kind_name: str, name: str, treebank: Doc, lists: Path
) -> None:
    chosen = KINDS[kind_name]
    taken, refused = allowed(chosen, chosen.attributes[name])
    assert taken
    for error in refused:
        assert error.line == 1
        assert "only" in error.reason or "no path leads" in error.reason or "known" in error.reason
    COMPONENTS[kind_name]("\n".join(taken), treebank, lists)


@pytest.mark.parametrize("kind_name", list(KINDS))
def test_an_attribute_of_another_kind_is_refused_where_it_stands(kind_name: str) -> None:
    chosen = KINDS[kind_name]
    node = next(iter(chosen.nodes.values())).print(0)
    others = {name: one for kind in KINDS.values() for name, one in kind.attributes.items()}
    for name in others.keys() - chosen.attributes.keys():
        with pytest.raises(InputError, match=f"unknown attribute '{name}'") as caught:
            parse_set(f"\n{next(written(others[name]))}({node})\n", chosen, "mine.templates")
        assert (caught.value.file, caught.value.line) == ("mine.templates", 2)


@pytest.mark.parametrize("text", ["UPOS(TOKEN-1)", "MORPH(TOKEN)"])
def test_a_tagger_does_not_read_what_it_is_to_predict(text: str, treebank: Doc) -> None:
    with pytest.raises(ConfigError, match="to predict"):
        finished(
            Tagger.fit(TaggerConfig(column="upos", templates=text, settings=SETTINGS, folds=0), TrainingData(treebank))
        )


def test_a_tagger_of_features_and_a_lemmatizer_do_not_read_what_they_are_to_predict(treebank: Doc) -> None:
    config = TaggerConfig(column="feats", templates="FEAT:Number(TOKEN)", settings=SETTINGS, folds=0)
    with pytest.raises(ConfigError, match="to predict"):
        finished(Tagger.fit(config, TrainingData(treebank)))
    with pytest.raises(ConfigError, match="to predict"):
        finished(
            Lemmatizer.fit(
                LemmatizerConfig(templates="LEMMA(TOKEN)", settings=SETTINGS, folds=0), TrainingData(treebank)
            )
        )


def test_kinds_with_paths_have_all_steps() -> None:
    for chosen in KINDS.values():
        assert chosen.steps in ((), tuple(STEPS))


def test_a_dictionary_that_nobody_gave_is_named(treebank: Doc) -> None:
    config = EntityConfig(templates="LEX(TOKEN)\nDICT:nobody(TOKEN)", settings=SETTINGS, folds=0, history_folds=0)
    with pytest.raises(ConfigError, match="nobody"):
        finished(EntityTagger.fit(config, TrainingData(treebank)))
