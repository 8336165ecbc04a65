"""Other packages, each behind the same few functions, so that all benchmarks run them in the same way.

A package or model that is missing is left out, with a word on the error stream.

    python -m benchmarks.peers KIND MODEL EFFORT [--parser] < TEXT

prints what it costs one of them, alone in a process, to load and to run: CPU seconds and megabytes.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # a process that runs another package does not load this one
    from laconic.corpus import Doc

UDPIPE, SPACY = "UDPipe 1", "spaCy 3.8"
FILES = {UDPIPE: "en_ewt.udpipe", SPACY: "spacy_en_ewt"}
"""Models for English, in the folder of the peers."""
T = TypeVar("T")


@dataclass
class System:
    """Raw text to CoNLL-U. ``run`` is timed; ``written`` makes CoNLL-U of what it returns."""

    name: str
    kind: str
    model: Path
    run: Callable[[str], Any]
    written: Callable[[Any], str]
    effort: str | float = ""
    shown: bool = True
    """In the table; else only a point of the curve."""
    seconds: list[float] = field(default_factory=list)
    scores: dict[str, float] = field(default_factory=dict)


def laconic(model: Path, effort: str | float, parser: bool) -> System:
    from laconic import load

    nlp = load(model).at(effort)

    def run(text: str) -> bytes:
        return nlp(text).columns.to_conllu()

    return System(f"laconic, {effort}", "laconic", model, run, bytes.decode, effort, isinstance(effort, str))


def udpipe(model: Path, effort: str | float, parser: bool) -> System:
    from ufal.udpipe import Pipeline  # type: ignore[import-untyped]

    loaded = udpipe_model(model)
    pipe = Pipeline(loaded, "tokenize", Pipeline.DEFAULT, Pipeline.DEFAULT if parser else Pipeline.NONE, "conllu")
    # The pipeline does not keep the model alive.
    return System(UDPIPE, "udpipe", model, lambda text, keep=loaded: pipe.process(text), str)


def spacy(model: Path, effort: str | float, parser: bool) -> System:
    """Without its parser, which finds sentences, rules find them."""
    import spacy as package  # type: ignore[import-not-found]

    nlp = package.load(model, exclude=[] if parser else ["parser"])
    if not parser:
        nlp.add_pipe("sentencizer")
    return System(SPACY, "spacy", model, lambda text: list(nlp.pipe(text.split("\n\n"))), spacy_conllu)


LOADERS: dict[str, Callable[[Path, str | float, bool], System]] = {"laconic": laconic, "udpipe": udpipe, "spacy": spacy}


def spacy_conllu(docs: Any) -> str:
    """What spaCy found as CoNLL-U."""
    lines: list[str] = []
    for doc in docs:
        for sentence in doc.sents:
            words = [token for token in sentence if not token.is_space]
            number = {token.i: i for i, token in enumerate(words, 1)}
            for token in words:
                head = token.head
                while head.is_space and head.head.i != head.i:
                    head = head.head
                root = head.i == token.i or head.i not in number
                fields = (
                    number[token.i],
                    token.text,
                    token.lemma_ or "_",
                    token.pos_ or "_",
                    token.tag_ or "_",
                    str(token.morph) or "_",
                    (0 if root else number[head.i]) if token.dep_ else "_",
                    ("root" if root else token.dep_) if token.dep_ else "_",
                    "_",
                    "_" if token.whitespace_ else "SpaceAfter=No",
                )
                lines.append("\t".join(map(str, fields)))
            if words:
                lines.append("")
    return "\n".join(lines) + "\n"


def udpipe_model(path: Path) -> Any:
    from ufal.udpipe import Model

    model = Model.load(str(path))
    if model is None:
        raise OSError(f"{path} is missing")
    return model


def udpipe_tokenizer(path: Path) -> Callable[[str], int]:
    """Tokenizes a text and counts the words."""
    from ufal.udpipe import ProcessingError, Sentence

    model = udpipe_model(path)

    def run(text: str) -> int:
        tokenizer = model.newTokenizer("")
        tokenizer.setText(text)
        error, count = ProcessingError(), 0
        while tokenizer.nextSentence(sentence := Sentence(), error):
            count += len(sentence.words) - 1
        return count

    return run


def udpipe_segmented(path: Path, text: str) -> Doc:
    """Tokens and sentences of a text, nothing else."""
    from ufal.udpipe import Pipeline

    from laconic.corpus import Doc

    model = udpipe_model(path)  # the pipeline does not keep it alive
    return Doc.from_conllu(Pipeline(model, "tokenizer", "none", "none", "conllu").process(text))


def udpipe_annotated(path: Path, words: Doc) -> Doc:
    """Sentences and words as given, all other columns by UDPipe."""
    from ufal.udpipe import Pipeline

    from laconic.corpus import Doc

    model = udpipe_model(path)  # the pipeline does not keep it alive
    pipe = Pipeline(model, "conllu", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
    return Doc.from_conllu(pipe.process(words.to_conllu()))


def spacy_annotated(path: Path, words: Doc) -> Doc:
    """Sentences and words as given, all other columns by spaCy, which is told where sentences begin and so makes one
    tree of each."""
    import spacy as package
    from spacy.tokens import Doc as Words

    from laconic.corpus import Doc

    nlp = package.load(path)
    given = ([token.form.replace(" ", "\xa0") for token in sentence] for sentence in words.sentences)
    made = nlp.pipe(Words(nlp.vocab, words=one, sent_starts=[i == 0 for i in range(len(one))]) for one in given)
    return Doc.from_conllu(spacy_conllu(made))


def udpipe_parser(path: Path, tagged: Doc) -> Callable[[], object]:
    """Parses sentences whose words and tags are given."""
    from ufal.udpipe import InputFormat, Model, ProcessingError, Sentence

    model = udpipe_model(path)
    reader = InputFormat.newConlluInputFormat()
    reader.setText(tagged.to_conllu())
    error, sentences = ProcessingError(), []
    while reader.nextSentence(sentence := Sentence(), error):
        sentences.append(sentence)
    return lambda: [model.parse(sentence, Model.DEFAULT) for sentence in sentences]


def spacy_parser(path: Path, tagged: Doc) -> Callable[[], object]:
    """Parses sentences whose words are given. Without its tagger the parser still gets the vectors it shares with it."""
    import spacy as package
    from spacy.tokens import Doc as Words

    nlp = package.load(path, exclude=["tagger", "morphologizer", "trainable_lemmatizer"])
    words = [[token.form for token in sentence] for sentence in tagged.sentences]
    return lambda: list(nlp.pipe([Words(nlp.vocab, words=sentence) for sentence in words]))


def nltk_tagger(train: Doc) -> Callable[[list[list[str]]], list[str]]:
    """A perceptron tagger of NLTK's after five iterations; from sentences to the tags of their words."""
    from nltk.tag.perceptron import PerceptronTagger

    tagger = PerceptronTagger(load=False)
    tagger.train([[(token.form, token.upos) for token in sentence] for sentence in train.sentences], nr_iter=5)
    return lambda sentences: [tag for sentence in sentences for _, tag in tagger.tag(sentence)]


def installed(folder: Path, loaders: Mapping[str, Callable[[Path], T]]) -> Iterator[tuple[str, T]]:
    """What the loaders give for the models in the folder, but for those that are missing."""
    for name, load in loaders.items():
        try:
            yield name, load(folder / FILES[name])
        except (ImportError, OSError) as error:
            print(f"{name} is left out: {error} (--peers or LACONIC_PEERS says where models are)", file=sys.stderr)


def systems(folder: Path, parser: bool) -> list[System]:
    """The other packages, from raw text to trees, or to tags."""
    loaders = {UDPIPE: udpipe, SPACY: spacy}
    return [system for _, system in installed(folder, {n: lambda p, f=f: f(p, "", parser) for n, f in loaders.items()})]  # type: ignore[misc]


def fastest(seconds: Mapping[str, list[float]]) -> str | None:
    """The name of the peer with the lowest median time; None without peers."""
    peers = [name for name in seconds if not name.startswith("laconic")]
    return min(peers, key=lambda name: statistics.median(seconds[name]), default=None)


def peak() -> float:
    """Megabytes that this process has needed. Not by ``getrusage`` where that counts what its parent needed, too."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=list(LOADERS))
    parser.add_argument("model", type=Path)
    parser.add_argument("effort")
    parser.add_argument("--parser", action="store_true")
    chosen = parser.parse_args()
    text = sys.stdin.read()
    start = time.process_time()
    system = LOADERS[chosen.kind](chosen.model, chosen.effort, chosen.parser)
    loaded = time.process_time() - start
    system.run(text)
    print(json.dumps({"load": loaded, "peak": peak()}))


if __name__ == "__main__":
    main()
