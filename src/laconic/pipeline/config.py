"""What to train, on what and how: dataclasses, TOML files and single settings, all the same names."""

from __future__ import annotations

import ast
import inspect
import textwrap
import tomllib
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from laconic.ensemble import EnsembleConfig
from laconic.errors import ConfigError, choices, nearest
from laconic.graph import GraphConfig
from laconic.label import LabelerConfig, TensorLabelerConfig
from laconic.learn.settings import check_shares, check_whole
from laconic.pipeline.components import COMPONENTS, order_of_use, work_of
from laconic.tag import EntityConfig, LemmatizerConfig, MorphologyConfig, TaggerConfig
from laconic.text import SegmenterConfig
from laconic.transition import ParserConfig

AnyConfig = TypeVar("AnyConfig")
WIDTH = 116


@dataclass(frozen=True)
class TrainConfig:
    """What to train on, and how. Paths in a file are seen from the folder of the file."""

    train: Path
    """Treebank to learn from, in CoNLL-U or another format that can be told by its ending or content."""
    dev: Path | None = None
    """Treebank on which efforts are measured. Without it there are no effort profiles but ``full``."""
    components: tuple[str, ...] = ()
    """What to train; order does not matter. None: all that the training data show something of, but for ``tagger``,
    which does a part of what ``morphology`` does, ``graph``, which does what ``parser`` does but for labels,
    ``ensemble``, which does what ``parser`` does with more parsers, and ``labeler`` and ``tensor_labeler``, which label
    given trees."""
    entity_data: tuple[Path, ...] = ()
    """Files with named entities of the same sentences, for training and, if there is a second one, for development."""
    silver: tuple[Path, ...] = ()
    """Text that another model has labelled, as CoNLL-U, or folders of it. Tags, trees of transition parsers and, where
    the text has them, entities are learned from it, too, and in the last epochs from the treebank alone."""
    silver_words: int = 0
    """Take about so many words of it, sentences drawn at random; 0: all."""
    silver_seed: int = 1
    """Of that draw."""
    silver_confidence: float = 0.0
    """Take only sentences of which the teacher was so sure, by comments: the geometric mean of its probabilities over
    the words must not be lower, for tags, arcs and lemmas each, as far as they are told. 0: all."""
    base: Path | None = None
    """A model whose other components are kept as they are."""
    segmenter: SegmenterConfig = field(default_factory=SegmenterConfig)
    tagger: TaggerConfig = field(default_factory=TaggerConfig)
    morphology: MorphologyConfig = field(default_factory=MorphologyConfig)
    lemmatizer: LemmatizerConfig = field(default_factory=LemmatizerConfig)
    parser: ParserConfig = field(default_factory=ParserConfig)
    graph: GraphConfig = field(default_factory=GraphConfig)
    ensemble: EnsembleConfig = field(default_factory=EnsembleConfig)
    labeler: LabelerConfig = field(default_factory=LabelerConfig)
    tensor_labeler: TensorLabelerConfig = field(default_factory=TensorLabelerConfig)
    entities: EntityConfig = field(default_factory=EntityConfig)

    def __post_init__(self) -> None:
        if self.components:
            object.__setattr__(self, "components", order_of_use(self.components))
            work: dict[str, str] = {}
            for name in self.components:
                other = work.setdefault(work_of(name), name)
                if other != name:
                    raise ConfigError(f"{other} and {name} do the same work: name one of them")
        if len(self.entity_data) > 2:
            raise ConfigError("entity data are at most two files: for training and for development")
        if self.silver_words and not self.silver:
            raise ConfigError("silver_words would change nothing: there is no silver text")
        if self.silver_confidence and not self.silver:
            raise ConfigError("silver_confidence would change nothing: there is no silver text")
        check_shares(self, ("silver_confidence",))
        check_whole(self, (("silver_words", 0, 2**62), ("silver_seed", 0, 2**32 - 1)))
        for path in self.files:
            if str(path) == "-":
                raise ConfigError("training data are files, which can be read again: - cannot")

    @property
    def files(self) -> list[Path]:
        """All that is read."""
        given = (self.train, self.dev, self.base, *self.entity_data, *self.silver)
        return [path for path in given if path is not None]

    def of(self, component: str) -> Any:
        """The configuration of a component; its defaults where this class has no field for it."""
        return getattr(self, component, None) or COMPONENTS[component].config_type()

    @classmethod
    def read(cls, path: str | PathLike[str], changes: Mapping[str, Any] | None = None) -> TrainConfig:
        """The configuration of a TOML file; what it does not say is as by default. ``changes`` replace or add values of
        the top level. ConfigError, naming the file, for a key that does not exist or a value that cannot work."""
        file = Path(path)
        try:
            values = tomllib.loads(file.read_bytes().decode("utf-8-sig"))
            values = _relative(values, file.parent) | dict(changes or {})
            for name in values:
                _check_name(cls, name, "")  # before what is missing: it may be there under a misspelt name
            if "train" not in values:
                raise ConfigError('it does not say what to train on: train = "train.conllu"')
            made: TrainConfig = _made(cls, values, "")
            return made
        except (ConfigError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file}: {error}") from None


def _relative(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Paths seen from the folder of the file that names them."""

    def seen(value: Any) -> Any:
        if isinstance(value, list):
            return [seen(one) for one in value]
        if isinstance(value, dict):
            return {name: seen(one) for name, one in value.items()}
        return str(folder / value) if isinstance(value, str) and value != "-" else value

    def settings(table: dict[str, Any]) -> dict[str, Any]:
        return {name: setting(name, value) for name, value in table.items()}

    def setting(name: str, value: Any) -> Any:
        if name in ("gazetteers", "clusters") or (isinstance(value, str) and is_template_path(name, value)):
            return seen(value)
        return settings(value) if isinstance(value, dict) else value

    return {
        name: seen(value) if name in ("train", "dev", "base", "entity_data", "silver") else setting(name, value)
        for name, value in values.items()
    }


def is_template_path(name: str, value: str) -> bool:
    """Is this setting a file of templates, rather than the name of a shipped set or the set itself?"""
    return name.endswith("templates") and value.endswith(".templates") and "\n" not in value


def setting_names(part: Any, above: str = "") -> Iterator[str]:
    """All settings of a configuration or of a class of them: ``tagger.settings.l2``."""
    for one in fields(part):
        value = _default(part, one.name) if isinstance(part, type) else getattr(part, one.name)
        if is_dataclass(value):
            yield from setting_names(value, f"{above}{one.name}.")
        else:
            yield above + one.name


def _check_name(kind: Any, name: str, above: str, asked: str = "") -> None:
    """ConfigError where the dataclass has no such field; ``asked`` is what was written, if that is more."""
    known = sorted(get_type_hints(kind))
    if name in known:
        return
    where = f"in {above.removesuffix('.')}" if above else "at the top"
    listed = choices(name, known)
    if nearest(name, known) is None and (deeper := [one for one in setting_names(kind) if one.split(".")[-1] == name]):
        listed += f"; did you mean {' or '.join(above + one for one in deeper)}?"
    raise ConfigError(f"no setting {above + (asked or name)!r}: {where} there are {listed}")


def with_settings(config: AnyConfig, changes: Mapping[str, str]) -> AnyConfig:
    """A configuration with single settings changed: ``{"tagger.settings.l2": "1e-5"}``. Values are as in TOML; a bare
    word is a string."""
    values = {}
    for key, text in changes.items():
        try:
            values[key] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            values[key] = text
    changed: AnyConfig = _changed(config, values, "")
    return changed


def with_seed(part: AnyConfig, seed: int) -> AnyConfig:
    """The same configuration with this seed wherever there is one."""
    changes = {}
    for one in fields(part):  # type: ignore[arg-type]
        old = getattr(part, one.name)
        if one.name == "seed":
            changes["seed"] = seed
        elif is_dataclass(old):
            changes[one.name] = with_seed(old, seed)  # type: ignore[assignment]
    return replace(part, **changes)  # type: ignore[type-var]


def _changed(part: Any, values: Mapping[str, Any], above: str) -> Any:
    """All at once: some settings go together only."""
    hints = get_type_hints(type(part))
    nested: dict[str, dict[str, Any]] = {}
    made: dict[str, Any] = {}
    for key, value in values.items():
        name, dot, rest = key.partition(".")
        _check_name(type(part), name, above, key)
        old = getattr(part, name)
        if is_dataclass(old) and not dot:
            names = ", ".join(one.name for one in fields(old))
            raise ConfigError(f"{above + key!r} has settings of its own: {names}")
        if is_dataclass(old):
            nested.setdefault(name, {})[rest] = value
        elif isinstance(old, Mapping) and dot:
            made[name] = {**made.get(name, old), rest: value}
        elif dot:
            raise ConfigError(f"no setting {above + key!r}: {above + name} is a single value")
        else:
            made[name] = value
    fitting = {name: _fitting(above + name, value, hints[name]) for name, value in made.items()}
    inner = {name: _changed(getattr(part, name), own, f"{above}{name}.") for name, own in nested.items()}
    return _checked(lambda: replace(part, **fitting, **inner), above)


def _checked(make: Callable[[], AnyConfig], above: str) -> AnyConfig:
    """What is made; ConfigError by its own checks, with the place of the settings in front."""
    try:
        return make()
    except ConfigError as error:
        raise ConfigError(f"{above.removesuffix('.')}: {error}" if above else str(error)) from None


def _made(kind: Any, values: Any, above: str, default: Any = None) -> Any:
    """The dataclass with these values; where they say nothing, those of the default."""
    if not isinstance(values, dict):
        raise ConfigError(f"{above.removesuffix('.')} must be a table, not {values!r}")
    hints = get_type_hints(kind)
    made = {}
    for name, value in values.items():
        _check_name(kind, name, above)
        old = _default(kind, name) if default is None else getattr(default, name)
        if is_dataclass(old):
            made[name] = _made(type(old), value, f"{above}{name}.", old)
        else:
            made[name] = _fitting(above + name, value, hints[name])
    return _checked(lambda: kind(**made) if default is None else replace(default, **made), above)


def _default(kind: Any, name: str) -> Any:
    (one,) = (one for one in fields(kind) if one.name == name)
    if one.default_factory is not MISSING:
        return one.default_factory()
    return None if one.default is MISSING else one.default


def _fitting(key: str, value: Any, hint: Any) -> Any:
    """The value as what the hint asks for; ConfigError where it is none."""
    kind = get_origin(hint) or hint
    if kind in (Union, types.UnionType):
        for one in get_args(hint):
            try:
                return _fitting(key, value, one)
            except ConfigError:
                continue
    elif kind is Literal and value in get_args(hint):
        return value
    elif kind is tuple and isinstance(value, list | tuple):
        return tuple(_fitting(key, one, get_args(hint)[0]) for one in value)
    elif kind is Path and isinstance(value, str | Path):
        return Path(value)
    elif kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    elif kind in (int, str, bool) and type(value) is kind:
        return value
    elif kind is Mapping and isinstance(value, dict):
        return {str(name): _fitting(f"{key}.{name}", one, get_args(hint)[1]) for name, one in value.items()}
    meant = nearest(value, _words(hint)) if isinstance(value, str) else None
    raise ConfigError(f"{key} must be {_said(hint)}, not {value!r}" + (f"; did you mean {meant}?" if meant else ""))


def _words(hint: Any) -> Iterator[str]:
    """The words that a type allows."""
    if get_origin(hint) is Literal:
        yield from map(str, get_args(hint))
    elif get_origin(hint) in (Union, types.UnionType):
        for one in get_args(hint):
            yield from _words(one)


def _said(hint: Any) -> str:
    """A type in words."""
    kind = get_origin(hint) or hint
    if kind in (Union, types.UnionType):
        return " or ".join(_said(one) for one in get_args(hint) if one is not type(None))
    if kind is Literal:
        return f"one of {', '.join(map(repr, get_args(hint)))}"
    if kind is tuple:
        return f"a list of which each is {_said(get_args(hint)[0])}"
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a string", Path: "a path"}
    return names.get(kind, "a table of strings")


def default_toml(names: tuple[str, ...]) -> str:
    """A configuration file that says what is so anyway, with comments: reading it gives the defaults."""
    lines = _comment(inspect.cleandoc(TrainConfig.__doc__ or ""))
    notes = _notes(TrainConfig)
    example = TrainConfig(Path("train.conllu"), Path("dev.conllu"))
    for one in fields(TrainConfig):
        value = getattr(example, one.name)
        if not is_dataclass(value):
            lines += ["", *_comment(notes.get(one.name, "")), _entry(one.name, value)]
    for name in order_of_use(names):
        lines += _table(name, example.of(name))
    return "\n".join(lines) + "\n"


def _table(above: str, part: Any) -> list[str]:
    lines = ["", *_comment((inspect.getdoc(type(part)) or "").split("\n\n")[0]), f"[{above}]"]
    notes = _notes(type(part))
    nested = []
    for one in fields(part):
        value = getattr(part, one.name)
        if is_dataclass(value):
            nested.append((f"{above}.{one.name}", value))
        else:
            lines += [*_comment(notes.get(one.name, "")), _entry(one.name, value)]
    for name, value in nested:
        lines += _table(name, value)
    return lines


def _entry(name: str, value: Any) -> str:
    return f"# {name} =" if value is None else f"{name} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_toml(key)} = {_toml(one)}' for key, one in value.items())}}}"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _comment(text: str) -> list[str]:
    joined = " ".join(text.replace("``", "").split())
    return [f"# {line}" for line in textwrap.wrap(joined, WIDTH)]


def _notes(kind: type) -> dict[str, str]:
    """What is written below each field of a dataclass."""
    (body,) = (node for node in ast.parse(textwrap.dedent(inspect.getsource(kind))).body)
    assert isinstance(body, ast.ClassDef)
    notes = {}
    for node, after in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            notes[node.target.id] = str(after.value.value)
    return notes
