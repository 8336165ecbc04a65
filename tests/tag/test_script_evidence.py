from __future__ import annotations

import numpy as np
import pytest

from laconic._core import tag as core
from laconic.corpus import Doc
from laconic.errors import ModelError
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import Lemmatizer, LemmatizerConfig
from laconic.tag.lemmatizer import Script, gold_scripts
from laconic.tag.script_evidence import Evidence, gather

CONFIG = LemmatizerConfig(settings=Settings(epochs=4), folds=0)
PAST = ("VERB", "VBD")
BASE = ("VERB", "VB")
NOUN = ("NOUN", "NN")


def document(*rows: tuple[str, str, tuple[str, str]], feats: str = "_") -> Doc:
    """One word a sentence: form, lemma, tags."""
    return Doc.from_words(
        [[form] for form, _, _ in rows],
        lemma=[[lemma] for _, lemma, _ in rows],
        upos=[[tags[0]] for _, _, tags in rows],
        xpos=[[tags[1]] for _, _, tags in rows],
        feats=[[feats] for _ in rows],
    )


REGULAR = [("walked", "walk", PAST), ("talked", "talk", PAST), ("baked", "bake", PAST), ("raked", "rake", PAST)]
DOUBLED = [("stopped", "stop", PAST), ("planned", "plan", PAST), ("hugged", "hug", PAST)]
ABLAUT = [("sank", "sink", PAST), ("drank", "drink", PAST)]
BASES = [(word, word, BASE) for word in ("walk", "talk", "bake", "rake", "stop", "plan", "hug", "sink", "drink")]
NOUNS = [(word, word, NOUN) for word in ("grace", "field", "mass", "house", "seed")]
TREEBANK = document(*REGULAR, *DOUBLED, *ABLAUT, *BASES, *NOUNS)


def lemma_of(lemmatizer: Lemmatizer, form: str, tags: tuple[str, str]) -> str:
    doc = document((form, "_", tags))
    lemmatizer.apply(doc)
    return doc.strings("lemma")[0]


def trained(doc: Doc, *labelled: Doc) -> Lemmatizer:
    return finished(Lemmatizer.fit(CONFIG, TrainingData(doc, labelled=labelled)))


def test_a_known_word_decides_between_scripts() -> None:
    text = document(*[(word, "_", BASE) for word in ("fake", "fake", "milk", "milk", "stink", "stink", "nap", "nap")])
    wanted = {"faked": "fake", "milked": "milk", "stank": "stink", "napped": "nap"}
    # Whole or in parts: a word is counted over all of them.
    for judged in (
        trained(TREEBANK, text),
        trained(TREEBANK, *(text.sentences[i : i + 1] for i in range(len(text.sentences)))),
    ):
        assert {form: lemma_of(judged, form, PAST) for form in wanted} == wanted


def test_letters_that_no_word_lost_are_kept() -> None:
    judged = trained(TREEBANK)
    assert lemma_of(judged, "grabbed", PAST) in ("grab", "grabb", "grabbe")
    assert lemma_of(judged, "xyzt", PAST) == "xyzt"


def test_base_forms_stay() -> None:
    judged = trained(TREEBANK)
    for word in ("yield", "invoked", "mess", "stank"):
        assert lemma_of(judged, word, NOUN) == word
        assert lemma_of(judged, word, BASE) == word


def test_words_with_typos_teach_nothing_of_others() -> None:
    typos = document(*[(f"{stem}ngi", f"{stem}ng", BASE) for stem in ("bri", "si", "ri", "lo")], feats="Typo=Yes")
    doc = Doc.concatenate((TREEBANK, typos))
    gold, scripts = gold_scripts(doc, 2)
    seen = gather(doc, gold, core.Scripts(scripts), ("upos", "xpos", "feats"), (), minimum=2, base_minimum=2)
    lost = core.Scripts(scripts).cut_keys(["longi"], np.array([gold[-1]], np.uint16))
    assert lost[0] not in seen.cuts.tolist()


def test_a_doubled_letter_is_one_whatever_the_letter() -> None:
    script: Script = (0, 0, 3, "", "")
    keys = core.Scripts([script]).cut_keys(["stopped", "PLANNED", "walking"], np.zeros(3, np.uint16)).tolist()
    assert keys[0] == keys[1] != keys[2]


def test_a_lemma_known_from_one_form_is_no_evidence_for_that_form() -> None:
    doc = document(("blorped", "blorp", PAST), ("glorped", "glorp", PAST), ("glorps", "glorp", ("VERB", "VBZ")))
    gold, scripts = gold_scripts(doc, 1)
    seen = gather(doc, gold, core.Scripts(scripts), ("upos",), (), minimum=2, base_minimum=2)
    atoms = core.base_atoms(doc.columns, "upos", lemmas=True)
    assert atoms[0] not in seen.bases
    assert atoms[1] in seen.bases


def test_damaged_evidence_is_refused() -> None:
    scripts = core.Scripts([(0, 0, 0, "", ""), (0, 0, 1, "", "")])
    none, keys = np.zeros(0, np.uint32), np.zeros(0, np.uint64)
    for cuts, counts, bases in (
        (np.array([1, 1], np.uint64), np.array([1, 1], np.uint32), none),
        (np.array([1], np.uint64), none, none),
        (keys, none, np.array([2, 1], np.uint32)),
    ):
        with pytest.raises(ModelError):
            Evidence(cuts, counts, bases, 2).for_core(scripts)
    with pytest.raises(ModelError, match="fit every word"):
        Evidence(keys, none, none, 2).for_core(core.Scripts([(0, 0, 1, "", "")]))
    with pytest.raises(ValueError, match="one script per form"):
        scripts.cut_keys(["a", "b"], np.zeros(1, np.uint16))


def test_evidence_is_stored() -> None:
    judged = trained(TREEBANK)
    again = Lemmatizer.from_state(*judged.state())
    assert again.evidence is not None
    assert judged.evidence is not None
    assert np.array_equal(again.evidence.bases, judged.evidence.bases)
    assert lemma_of(again, "faked", PAST) == lemma_of(judged, "faked", PAST)
    arrays, facts = judged.state()
    del arrays["evidence.cuts"]
    with pytest.raises(ModelError, match="damaged"):
        Lemmatizer.from_state(arrays, facts)
