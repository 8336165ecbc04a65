"""``laconic parse``: texts and treebanks to trees."""

from __future__ import annotations

import logging
import os
import time
from dataclasses import replace as changed
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import tables
from laconic.cli.console import Job
from laconic.cli.inputs import GivenFile, ListOf, files_of, is_glob, looks_like_a_path, without_ending
from laconic.cli.options import loaded
from laconic.cli.source import STREAM
from laconic.errors import ConfigError, choices

if TYPE_CHECKING:
    from laconic.pipeline.job import ParseJob
    from laconic.pipeline.sources import Input

EXAMPLE = 'laconic parse "Who waits for the ferry?"'
log = logging.getLogger(__name__)

NAMES = ("conllu", "json", "jsonl", "text", "svg", "html", "table")
"""Of the writers in ``laconic.interop.writers``, which is not loaded to show help."""


def run(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Texts, treebanks, tables, folders, globs; - is stdin. One that is no file is a text.",
        ),
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="The text itself.")] = None,
    list_: ListOf = None,
    model: Annotated[str, typer.Option("--model", "-m", help="A model file, or a name of laconic models.")] = "en",
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE|DIR/", help="A file, or a directory for shards."),
    ] = STREAM,
    outdir: Annotated[
        str | None,
        typer.Option("--outdir", metavar="DIR", help="A file for each input, called as it, with the ending of --to."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", "-t", metavar="FORMAT", help=f"Format of the output: {', '.join(NAMES)}; else by ending."),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", "-f", metavar="FORMAT", help="text or a treebank format; else by ending."),
    ] = None,
    effort: Annotated[
        str | None,
        typer.Option(
            "--effort", "-e", help="best, beam, full, balanced (default), fast, or a share of decisions such as 0.002."
        ),
    ] = None,
    components: Annotated[str | None, typer.Option("--components", help="Use only these, separated by commas.")] = None,
    threads: Annotated[int | None, typer.Option("--threads", "-j", help="Same output, less waiting; else 1.")] = None,
    pretokenized: Annotated[
        bool, typer.Option("--pretokenized", help="One sentence a line, words separated by spaces.")
    ] = False,
    lines: Annotated[bool, typer.Option("--sentence-per-line", help="Sentences end at line ends only.")] = False,
    line_ends: Annotated[
        str,
        typer.Option(
            "--lines", metavar="HOW", help="Line ends are a hint (soft), spaces (keep), sentence ends (hard)."
        ),
    ] = "soft",
    no_mwt: Annotated[bool, typer.Option("--no-mwt", help="Do not split multiword tokens.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Put U+FFFD for what is not UTF-8.")] = False,
    resegment: Annotated[
        bool, typer.Option("--resegment", help="Take only the plain text of treebanks, and segment it anew.")
    ] = False,
    keep: Annotated[
        str | None,
        typer.Option("--keep", metavar="COLUMNS", help="Columns of a given treebank to keep: upos,xpos,…; else none."),
    ] = None,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Put into MISC how probable it is that tags, lemma and arc are right.")
    ] = False,
    shard: Annotated[
        int | None, typer.Option("--shard", metavar="WORDS", help="Words in a shard of DIR; else 1,000,000.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a job that was stopped; with -o DIR/ or --outdir.")
    ] = False,
    text_column: tables.TextColumn = None,
    id_column: tables.IdColumn = None,
    rows: tables.RowsOption = None,
    columns: tables.WordColumns = None,
    into: tables.Into = None,
    prefix: tables.Prefix = None,
    on_error: tables.OnErrors = None,
    engine: tables.EngineOption = None,
    master: tables.MasterOption = None,
) -> None:
    """Parse texts, treebanks or tables. With -o DIR/ output goes to shards, and a killed job can be resumed."""
    from laconic.interop.writers import WRITERS, by_ending
    from laconic.pipeline.job import ParseJob
    from laconic.pipeline.job_folder import SHARD
    from laconic.text import Options

    if outdir is not None and output != STREAM:
        raise typer.BadParameter("one output or one for each input: give -o or --outdir", param_hint="--outdir")
    files = _files(sources or [], list_, text)
    if outdir is not None:
        files = _without_outputs(files, Path(outdir).resolve())
    names = [file.path for file in files]
    sharded = output != STREAM and (output.endswith(("/", os.sep)) or Path(output).is_dir())
    if resume and not sharded and outdir is None:
        raise typer.BadParameter("only output to a directory can be resumed: -o DIR/, --outdir", param_hint="--resume")
    if shard is not None and not sharded:
        raise typer.BadParameter("only output to a directory is written in shards: -o DIR/", param_hint="--shard")
    if shard is not None and shard < 1:
        raise typer.BadParameter("a shard has at least one word", param_hint="--shard")
    workers = 1 if threads is None else threads
    asked = tables.TableOptions(text_column, id_column, rows, columns, into, prefix, on_error, engine, master)
    chosen = None if components is None else [name.strip() for name in components.split(",")]
    try:
        options = Options(
            lines=lines, line_ends=line_ends, mwt=not no_mwt, surrogates="replace" if replace else "error"
        )
    except ConfigError as error:
        raise typer.BadParameter(str(error), param_hint="--lines") from None
    if text is None and tables.are_tables(names, from_):
        for given_option, hint in (
            (pretokenized, "--pretokenized"),
            (keep, "--keep"),
            (confidence, "--confidence"),
            (resegment, "--resegment"),
            (outdir, "--outdir"),
        ):
            if given_option:
                raise typer.BadParameter("is not for tables", param_hint=hint)
        if engine is not None:
            for asked_for, hint, why in (
                (resume, "--resume", ": a job that was killed as a whole begins anew, in an empty directory"),
                (shard is not None, "--shard", ", which cut their output themselves"),
                (components is not None, "--components", ""),
                (threads is not None, "--threads", ", which have as many workers as their cluster has cores"),
            ):
                if asked_for:
                    raise typer.BadParameter(f"is not for engines{why}", param_hint=hint)
            tables.parse_with_engine(names, from_, to, output, sharded, asked, options, model, effort)
            return
        if master is not None:
            raise typer.BadParameter("say the engine, too: --engine", param_hint="--master")
        pipeline = loaded(model, effort, chosen)
        tables.parse_tables(
            pipeline, names, from_, to, output, sharded, asked, options, workers, shard or SHARD, resume
        )
        return
    asked.check_unused()
    if to is not None and to not in NAMES:
        raise typer.BadParameter(f"no format {to!r}: there are {choices(to, NAMES)}", param_hint="--to")
    try:
        writer = WRITERS[to] if to is not None else by_ending("" if sharded or output == STREAM else output)
    except ConfigError as error:
        raise typer.BadParameter(str(error), param_hint="--output") from None
    if resegment and keep is not None:
        raise typer.BadParameter("nothing is kept of a treebank that is segmented anew", param_hint="--keep")
    given = _inputs(files, text, from_, pretokenized, resegment)
    if any(one.format != "text" for one in given):
        for wanted, option in (
            (lines, "--sentence-per-line"),
            (line_ends != "soft", "--lines"),
            (no_mwt, "--no-mwt"),
        ):
            if wanted:
                raise typer.BadParameter("is for texts: here words are given", param_hint=option)
    pipeline = loaded(model, effort, chosen)
    try:
        job = ParseJob(
            pipeline,
            given,
            writer,
            None if keep is None else tuple(name.strip() for name in keep.split(",") if name.strip()),
            options,
            workers,
            confidence,
        )
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    if outdir is None:
        _write(job, output, sharded, shard or SHARD, resume)
        return
    for one, target in _targets(job, files, Path(outdir)):
        if not (resume and target.exists()):
            target.parent.mkdir(parents=True, exist_ok=True)
            _write(one, str(target), False, SHARD, False)


def _files(names: list[str], listed: str | None, text: str | None) -> list[GivenFile]:
    """What the arguments mean; nothing where the text itself is given, as such or as the only argument."""
    if text is not None:
        if names or listed:
            raise typer.BadParameter("a text and files: give one or the other", param_hint="--text")
        return []
    if not names and not listed:
        raise typer.BadParameter('give files, - for stdin, --list FILE, or --text "…"')
    lone = names[0] if len(names) == 1 and listed is None and names[0] != STREAM else None
    if lone is not None and (not lone or not (Path(lone).exists() or looks_like_a_path(lone) or is_glob(lone))):
        return [GivenFile(lone, "")]
    return files_of(names, listed)


def _without_outputs(files: list[GivenFile], outdir: Path) -> list[GivenFile]:
    """Where the output goes into a folder below one that is read, what a run before has written there is no input."""

    def is_output(file: GivenFile) -> bool:
        path = Path(file.path).resolve()
        if not file.place or not path.is_relative_to(outdir):
            return False
        given = path.parents[len(Path(file.place).parts) - 1]
        return given != outdir and outdir.is_relative_to(given)

    return [file for file in files if not is_output(file)]


def _inputs(
    files: list[GivenFile], text: str | None, format: str | None, pretokenized: bool, resegment: bool
) -> tuple[Input, ...]:
    """How each is read. A missing file is found before anything is written."""
    from laconic.corpus.formats import by_suffix, find
    from laconic.pipeline.sources import Input

    kind = "words" if pretokenized else "text"
    if format not in (None, "text"):
        if pretokenized:
            raise typer.BadParameter("words are given one way or the other: leave out --from", param_hint="--from")
        try:
            find(str(format))
        except ValueError as error:
            raise typer.BadParameter(f"{error}, text", param_hint="--from") from None
    if len(files) == 1 and not files[0].place and files[0].path != STREAM:
        text = files[0].path
    if text is not None:
        if format not in (None, "text") or resegment:
            raise typer.BadParameter("a text is no treebank", param_hint="--resegment" if resegment else "--from")
        return (Input(text=text, format=kind),)
    made = []
    for name, _ in files:
        if name != STREAM and not Path(name).is_fifo():  # what is opened for a look would be lost to its writer
            with Path(name).open("rb"):  # an error here is one before hours of work
                pass
        guessed = None if name == STREAM or pretokenized else by_suffix(name)
        read_as = kind if format == "text" else format or guessed or kind
        if resegment:
            if read_as in ("text", "words"):
                raise typer.BadParameter(f"{name} is no treebank: it is segmented anyway", param_hint="--resegment")
            made.append(Input(path=name, treebank=read_as))
        else:
            made.append(Input(path=name, format=read_as))
    return tuple(made)


def _targets(job: ParseJob, files: list[GivenFile], folder: Path) -> list[tuple[ParseJob, Path]]:
    """A job for each input, and what it writes. Wrong usage where two would write the same file."""
    found: dict[Path, str] = {}
    jobs = []
    for given, file in zip(job.inputs, files, strict=False):
        if given.text is not None or not file.place or file.path == STREAM:
            raise typer.BadParameter("needs files, which have names", param_hint="--outdir")
        target = folder / (without_ending(file.place) + job.writer.suffix)
        if target in found:
            beside = Path(found[target]).parent == Path(file.path).parent
            advice = "choose among them, or -o for one output" if beside else "give the folder they are in"
            raise typer.BadParameter(
                f"{found[target]} and {file.path} would both be written to {target}: {advice}", param_hint="--outdir"
            )
        found[target] = file.path
        kept = None if given.format in ("text", "words") else job.keep
        jobs.append((changed(job, inputs=(given,), keep=kept), target))
    if not jobs:
        raise typer.BadParameter("needs files, which have names", param_hint="--outdir")
    return jobs


def _write(parse: ParseJob, output: str, sharded: bool, shard: int, resume: bool) -> None:
    sizes = _sizes(parse.inputs)
    words, start = 0, time.monotonic()
    with Job("parsing") as job:
        run = parse.to_shards(Path(output), words=shard, resume=resume) if sharded else parse.to_file(output)
        for piece in run:
            words += len(piece.doc)
            seconds = max(1e-9, time.monotonic() - start)
            label = f"{words:,} words, {words / seconds:,.0f} words/s"
            if sizes is None:
                job.show(label)
            else:
                job.show(label, done=sum(sizes[: piece.end.input]) + piece.end.done, total=sum(sizes))
    seconds = max(1e-9, time.monotonic() - start)
    log.debug("%s words, %s words/s", f"{words:,}", f"{words / seconds:,.0f}")


def _sizes(inputs: tuple[Input, ...]) -> list[int] | None:
    """Bytes that there are to read; None where that is not known."""
    plain = all(
        one.format in ("text", "words")
        and one.path not in ("", STREAM)
        and not one.treebank
        and not one.path.endswith(".gz")
        for one in inputs
    )
    return [Path(one.path).stat().st_size for one in inputs] if plain else None
