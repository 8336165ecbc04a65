"""Components composed: loaded from one file, applied in order, with one effort for all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import tee
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy.typing as npt

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError, ModelError, choices
from laconic.learn import Component
from laconic.learn.component import Confidences, within
from laconic.pipeline.annotate import Annotator
from laconic.pipeline.batch import BatchAnnotator, Outcome, in_turn
from laconic.pipeline.components import COMPONENTS, Components, find_segmenter, order_of_use, segmenter_of
from laconic.pipeline.confidence import confident
from laconic.pipeline.effort import DEFAULT, Profile, by_accuracy
from laconic.pipeline.flow import annotated, at_once, check_threads, ordered
from laconic.pipeline.modelfile import ModelFile
from laconic.pipeline.pieces import Piece, StreamPosition
from laconic.text import Options, Segmenter, TextStream
from laconic.text.source import Flat, in_pieces, worded
from laconic.text.streaming import PIECE

if TYPE_CHECKING:
    from laconic.pipeline.tables import OnError, RowsOf

ParseInput = Doc | str | bytes | Sequence[Sequence[str]] | Sequence[str]
Context = TypeVar("Context")
BATCH_CHARACTERS = 1 << 18


class Pipeline:
    """Trained components by name, the effort profiles of each, and where they come from.

    One pipeline serves any number of threads. Setting its effort while others use it is not for that: take ``at``,
    which shares all that was learned.
    """

    def __init__(
        self,
        components: Components,
        profiles: Mapping[str, Mapping[str, Profile]],
        provenance: Mapping[str, Any],
    ) -> None:
        own = MappingProxyType(dict(components))
        self.components: Mapping[str, Component] = own
        self.provenance = dict(provenance)
        self.profiles = {name: by_accuracy(efforts) for name, efforts in profiles.items()}
        self._effort: str | float = "full"
        self._file: tuple[str, str] | None = None
        self._annotator = Annotator(own)

    def __repr__(self) -> str:
        return f"<Pipeline: {', '.join(self.components)}; effort {self._effort}>"

    def __call__(
        self, source: ParseInput, *, flat: Flat = "error", keep: Collection[str] | None = None, **options: Any
    ) -> Doc:
        """A document with all that the components predict.

        A document is filled in place: columns that components predict are overwritten, the others stay, unless ``keep``
        says which to keep (then the rest is emptied first). A text is segmented, for which ``options`` are, those of
        ``laconic.text.Options``. A list of lists of words is taken as sentences; a flat list is what ``flat`` says.
        ConfigError for an option that the source has no use for.
        """
        annotator = self._annotator if keep is None else Annotator(self.components, keep)
        return annotator.apply(self._segmented(source, flat, keep, options))

    @overload
    def pipe(
        self,
        sources: Iterable[ParseInput],
        *,
        as_tuples: Literal[False] = False,
        threads: int = 1,
        batch: int = 64,
        flat: Flat = "error",
        keep: Collection[str] | None = None,
        **options: Any,
    ) -> Iterator[Doc]: ...
    @overload
    def pipe(
        self,
        sources: Iterable[tuple[ParseInput, Context]],
        *,
        as_tuples: Literal[True],
        threads: int = 1,
        batch: int = 64,
        flat: Flat = "error",
        keep: Collection[str] | None = None,
        **options: Any,
    ) -> Iterator[tuple[Doc, Context]]: ...
    def pipe(
        self,
        sources: Iterable[Any],
        *,
        as_tuples: bool = False,
        threads: int = 1,
        batch: int = 64,
        flat: Flat = "error",
        keep: Collection[str] | None = None,
        **options: Any,
    ) -> Iterator[Any]:
        """The documents of many sources, in their order, each as the call gives it. With ``as_tuples`` each source
        comes with something of yours, ``(source, context)``, and so does its document, ``(doc, context)``. ``threads``
        work at the same time, each on up to ``batch`` short sources at once; sources are drawn as documents are taken,
        so that memory is bounded by those on their way. The effort is that of the moment of the call."""
        check_threads(threads)
        if isinstance(sources, str | bytes | Doc) or not isinstance(sources, Iterable):
            raise ConfigError("pipe takes many sources: write [text] for one, or call the pipeline itself")
        if isinstance(batch, bool) or not isinstance(batch, int) or batch < 1:
            raise ConfigError(f"batch must be a whole number from 1 on, not {batch!r}")
        own = self.at()
        annotator = own._batch_annotator(flat, keep, **options)

        def work(part: list[tuple[ParseInput, Any]]) -> list[tuple[Outcome, Any]]:
            outcomes = annotator.outcomes([source for source, _ in part])
            return [(outcome, context) for outcome, (_, context) in zip(outcomes, part, strict=True)]

        given = _pairs(sources) if as_tuples else ((source, None) for source in sources)
        done = (pair for part in ordered(work, _batches(given, batch), threads) for pair in part)
        if not as_tuples:
            return in_turn(outcome for outcome, _ in done)
        outcomes, contexts = tee(done)
        return zip(in_turn(outcome for outcome, _ in outcomes), (context for _, context in contexts), strict=True)

    def stream(
        self,
        pieces: str | bytes | Iterable[str],
        *,
        threads: int = 1,
        characters: int = PIECE,
        **options: Any,
    ) -> Iterator[Doc]:
        """The documents of one huge text, given whole or in pieces that may be cut anywhere: together they are what
        the text as a whole gives, offsets count from the beginning of each. Memory is bounded by ``characters`` and
        the longest sentence, not by the text."""
        check_threads(threads)
        own = self.at()
        flow = TextStream(own.segmenter, size=characters, **_options(options))
        parts = in_pieces(pieces, characters, flow.options.surrogates)

        def segmented() -> Iterator[Doc]:
            for part in parts:
                yield from flow.feed(part)
            yield from flow.feed(b"", last=True)

        within = StreamPosition(opens=False)
        pieced = (Piece(doc, opens=number == 0, end=within) for number, doc in enumerate(segmented()))
        return (piece.doc for piece in annotated(Annotator(own.components), pieced, threads=threads))

    def map_table(
        self,
        table: Any,
        text: str = "text",
        *,
        rows: RowsOf = "document",
        columns: Sequence[str] | None = None,
        into: str = "words",
        prefix: str = "",
        on_error: OnError = "raise",
        file: str = "",
        first_row: int = 0,
        threads: int = 1,
        **options: Any,
    ) -> Any:
        """The table with the words of the texts in one of its columns: a pyarrow ``RecordBatch`` gives a batch, a
        ``Table`` or anything that offers itself as Arrow (frames of pandas and polars, relations of DuckDB) a table.

        Other columns are kept. With a row per document its words are a list of structs in the column ``into``; with a
        row per word, columns of words, with ``prefix`` before their names, are in place of the text, and a text without
        words has no row.
        ``columns`` are those of ``Doc.to_arrow``; None: all. Null is no text and stays null.
        Where a text cannot be read, InputError names ``file`` and row, counted from ``first_row``; or, with
        ``on_error="column"``, the column ``error`` says why. Needs the extra ``arrow``.
        Memory: the result, and a few texts at a time.
        """
        from laconic.pipeline.tables import TableSettings, map_table

        settings = TableSettings(text, rows, columns, into, prefix, on_error)
        return map_table(
            self, table, settings, file=file, first_row=first_row, threads=threads, options=_options(options)
        )

    def confident(
        self, source: ParseInput, *, flat: Flat = "error", **options: Any
    ) -> tuple[Doc, dict[str, Confidences]]:
        """The document, and for each component that can tell, how probable it is for each word that all of what the
        component says of it is right. Costs a quarter to a half more than the call."""
        doc = self._segmented(source, flat, None, options)
        return doc, confident(self.components, doc)

    def _batch_annotator(
        self, flat: Flat = "error", keep: Collection[str] | None = None, **options: Any
    ) -> BatchAnnotator:
        """What makes documents of many sources at once, each as the call gives it."""
        together = find_segmenter(self.components) if flat == "error" and keep is None else None
        return BatchAnnotator(
            Annotator(self.components, keep),
            lambda source: self._segmented(source, flat, keep, options),
            together,
            _options(options),
        )

    def _segmented(self, source: ParseInput, flat: Flat, keep: Collection[str] | None, options: dict[str, Any]) -> Doc:
        """A document from whatever is given; InputError for what no document can be made from."""
        if isinstance(source, str | bytes) and not options and keep is None and flat == "error":
            return self.segmenter(source)
        if not isinstance(source, Doc | Iterable):
            kind = "None" if source is None else f"an object of the type {type(source).__name__}"
            raise InputError(f"give a text (str or bytes), a Doc, or sentences as lists of words, not {kind}")
        if options and not isinstance(source, str | bytes):
            raise ConfigError(f"{_listed(_options(options))} can be asked of a text only: here words are given")
        if keep is not None and not isinstance(source, Doc):
            raise ConfigError("keep says which columns of a document are kept: here none are given")
        if flat not in ("error", "sentence", "split"):
            raise ConfigError(f"flat must be error, sentence or split, not {flat!r}")
        if flat != "error" and isinstance(source, Doc | str | bytes):
            raise ConfigError("flat says what a flat list of words is: here no list is given")
        if isinstance(source, Doc):
            return source
        if isinstance(source, str | bytes):
            return self.segmenter(source, **_options(options))
        return self._worded(list(source), flat)

    def _worded(self, rows: list[Any], flat: Flat) -> Doc:
        try:
            return worded(rows, flat, lambda words: self.segmenter.split(words))
        except (ConfigError, InputError):
            raise
        except ValueError as error:
            raise InputError(f"the words cannot stand in a document: {error}") from None
        except TypeError:
            raise InputError('give sentences as lists of words, and words as str: [["Who", "waits"]]') from None

    @property
    def segmenter(self) -> Segmenter:
        """ConfigError where there is none."""
        return segmenter_of(self.components)

    @property
    def efforts(self) -> list[str]:
        """From the most accurate to the fastest: those of a search, such as ``beam``, where a component has one,
        ``full``, and those that all components have profiles of."""
        profiled = dict.fromkeys(one for efforts in self.profiles.values() for one in efforts)
        everywhere = [one for one in profiled if all(one in self.profiles.get(name, {}) for name in self.components)]
        searches = [effort for component in self.components.values() for effort in component.search_efforts]
        return list(dict.fromkeys([*searches, "full", *everywhere]))

    @property
    def default_effort(self) -> str:
        """What a model is loaded with: ``balanced``, or ``full`` where it was not calibrated."""
        return DEFAULT if DEFAULT in self.efforts else "full"

    @property
    def effort(self) -> str | float:
        """The name of an effort profile, or the share of decisions of every component that may differ from the full
        model's: 0.01. Of the shares that were calibrated, the largest that is not above it counts."""
        return self._effort

    @effort.setter
    def effort(self, effort: str | float) -> None:
        if isinstance(effort, str):
            self._set_profile(effort)
        elif isinstance(effort, bool) or not isinstance(effort, int | float) or not 0 <= effort < 1:
            raise ConfigError(
                f"an effort is a name ({', '.join(self.efforts)}) or the share of decisions that may differ from the "
                f"full model's, from 0 to below 1, not {effort!r}"
            )
        else:
            for component in self.components.values():
                component.effort(float(effort))
            self._effort = float(effort) or "full"

    def _set_profile(self, effort: str) -> None:
        if effort not in self.efforts:
            raise ConfigError(f"this model has no effort {effort!r}: it has {choices(effort, self.efforts)}")
        for name, component in self.components.items():
            if effort in component.search_efforts:
                component.search_effort(effort)
            else:
                profile = None if effort == "full" else self.profiles.get(name, {}).get(effort)
                component.effort(0.0 if profile is None else profile.tolerance)
        self._effort = effort

    def at(self, effort: str | float | None = None) -> Pipeline:
        """The same pipeline with an effort of its own, a name or a share: nothing that was learned is copied."""
        return self._with(self.components, effort)

    def select(self, *names: str) -> Pipeline:
        """A pipeline of some of the components only, with an effort of its own."""
        return self._with({name: self.components[name] for name in order_of_use(self._known(names))}, None)

    def disable(self, *names: str) -> Pipeline:
        """A pipeline of all components but these, with an effort of its own."""
        left_out = self._known(names)
        return self._with({name: one for name, one in self.components.items() if name not in left_out}, None)

    def _known(self, names: Sequence[str]) -> Sequence[str]:
        """ConfigError where the model lacks one."""
        order_of_use(names)
        if missing := [name for name in names if name not in self.components]:
            raise ConfigError(f"this model has no {missing[0]}: it has {', '.join(self.components)}")
        return names

    def _with(self, components: Components, effort: str | float | None) -> Pipeline:
        other = Pipeline(
            {name: component.shared_copy() for name, component in components.items()},
            {name: self.profiles.get(name, {}) for name in components},
            self.provenance,
        )
        other._file, other._effort = self._file, self._effort
        if effort is not None:
            other.effort = effort
        return other

    def save(self, path: str | Path) -> None:
        """Write one file, whole or not at all. Equal pipelines give equal bytes."""
        arrays: dict[str, npt.NDArray[Any]] = {}
        parts = []
        for name, component in self.components.items():
            own, facts = component.state()
            arrays |= {f"{name}.{key}": array for key, array in own.items()}
            efforts = {effort: profile.to_json() for effort, profile in self.profiles.get(name, {}).items()}
            parts.append({"name": name, "facts": facts, "profiles": efforts})
        file = ModelFile(arrays, {"components": parts, "provenance": self.provenance})
        self._file = str(Path(path).absolute()), file.save(path)

    @classmethod
    def load(cls, path: str | Path, components: Iterable[str] | None = None, called: str = "") -> Pipeline:
        """Read a file that ``save`` wrote, or only some components of it, at the default effort; ModelError for
        anything else. Nothing is executed, nothing fetched. ``called`` is its name in a pickle, in place of its
        path."""
        wanted = None if components is None else order_of_use(components)
        with ModelFile.checked(path) as file:
            pipeline = cls._built(file, path, wanted)
        pipeline.effort = pipeline.default_effort
        pipeline._file = called or str(Path(path).absolute()), file.digest
        return pipeline

    @classmethod
    def _built(cls, file: ModelFile, path: str | Path, wanted: Collection[str] | None) -> Pipeline:
        profiles = {}
        try:
            present = [part["name"] for part in file.facts["components"]]
            for name in wanted or ():
                if name not in present:
                    raise ConfigError(f"{path}: the model has no {name}: it has {', '.join(map(str, present))}")
            for name in present:
                if name not in COMPONENTS:
                    raise ModelError(
                        f"{path}: the model has a component {name!r} that this version of laconic does not know"
                    )
            parts = {
                part["name"]: part for part in file.facts["components"] if wanted is None or part["name"] in wanted
            }
            kinds = {name: COMPONENTS[name] for name in parts}

            def building(name: str) -> Callable[[], Component]:
                return lambda: kinds[name].from_state(within(file.arrays, name), parts[name]["facts"])

            made = at_once({name: building(name) for name in kinds})  # most of it needs no interpreter
            for name, part in parts.items():
                profiles[name] = {effort: Profile.from_json(facts) for effort, facts in part["profiles"].items()}
            return cls(made, profiles, dict(file.facts["provenance"]))
        except ConfigError:
            raise
        except (LookupError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise ModelError(f"{path}: the model file lacks something it needs: {error}") from error
        except ModelError as error:
            raise ModelError(f"{path}: {error}" if str(path) not in str(error) else str(error)) from error

    @property
    def digest(self) -> str:
        """Of the file that it was loaded from or saved to; empty where there is none."""
        return self._file[1] if self._file else ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as the path and the digest of its file: whoever unpickles it needs the same file at that place."""
        if self._file is None:
            raise ModelError("a pipeline pickles as the path of its file, and this one has none: save it first")
        options = {}
        segmenter = find_segmenter(self.components)
        if segmenter is not None and segmenter.options != Options():
            options = {"options": segmenter.options}
        from laconic.pipeline.loading import unpickled  # it loads pipelines

        return unpickled, (*self._file, tuple(self.components), self._effort, options)


def _options(options: dict[str, Any]) -> dict[str, Any]:
    """TypeError for a name that is no option of a segmenter."""
    if unknown := sorted(options.keys() - Options.__dataclass_fields__.keys()):
        raise TypeError(f"no option {unknown[0]!r}: there are {choices(unknown[0], Options.__dataclass_fields__)}")
    return options


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _pairs(sources: Iterable[Any]) -> Iterator[tuple[ParseInput, Any]]:
    for pair in sources:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ConfigError(f"as_tuples takes pairs (source, context), not {type(pair).__name__}")
        yield pair


def _batches(sources: Iterable[tuple[ParseInput, Any]], most: int) -> Iterator[list[tuple[ParseInput, Any]]]:
    """Up to so many sources at once, fewer where they are long."""
    batch: list[tuple[ParseInput, Any]] = []
    size = 0
    for source, context in sources:
        batch.append((source, context))
        size += len(source) if isinstance(source, Doc | str | bytes) else 1
        if len(batch) >= most or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
