"""How the command behaves whatever the verb: help, exit codes, messages, signals."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli.command import COMMAND, PLAIN, TREE, laconic

from laconic.cli import app

READERS = ["stats", "convert", "check", "evaluate", "train"]
VERBS = [*READERS, "info", "parse", "bench"]


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb_has_an_example_of_that_verb(verb: str) -> None:
    result = laconic(verb, "--help")
    assert result.code == 0
    assert f"Example: laconic {verb} " in re.sub(r"\x1b\[[\d;]*m", "", result.out)  # some CI services force colours


def test_the_list_of_verbs_is_complete() -> None:
    assert all(f" {verb} " in laconic("--help").out for verb in VERBS)


@pytest.mark.parametrize(
    "arguments",
    [["frobnicate"], ["stats", "--no-such-option"], ["convert", "only-one"], ["check"], ["stats", "-", "-"], []],
    ids=" ".join,
)
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    result = laconic(*arguments)
    assert result.code == 2


def test_version_is_the_installed_version() -> None:
    from importlib.metadata import version

    assert laconic("--version").out == f"laconic {version('laconic')}\n"


def arguments_of(verb: str, path: Path) -> list[str | Path]:
    """What makes the verb read the path and write beside it."""
    beside = path.with_name("written")
    more: dict[str, list[str | Path]] = {
        "convert": [path, beside, "--to", "conllu"],
        "evaluate": [path, path],
        "train": ["--train", path, "-o", beside],
    }
    return more.get(verb, [path])


def faulty(place: Path, name: str, content: bytes) -> Path:
    path = place / name
    path.write_bytes(content)
    return path


BROKEN = {
    "too few columns": b"1\tword\n\n",
    "a head out of range": b"1\tShips\tship\tNOUN\tNNS\t_\t7\tdep\t_\t_\n\n",
    "invalid UTF-8": TREE.encode().replace(b"Ships", b"Sh\xffps"),
    "a NUL byte": TREE.encode().replace(b"Ships", b"Sh\0ps"),
    "a cycle": TREE.replace("\t0\troot", "\t1\tdep").encode(),
    "damaged gzip": b"\x1f\x8b\x08\0\0\0\0\0not gzip",
}


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("verb", READERS)
def test_bad_input_is_one_line_with_the_file_and_exit_code_1(tmp_path: Path, verb: str, fault: str) -> None:
    path = faulty(tmp_path, "broken.conllu", BROKEN[fault])
    result = laconic(verb, *arguments_of(verb, path))
    assert result.code == 1
    if verb == "check":
        assert str(path) in result.out + result.err
    else:
        assert result.out == ""
        assert result.err.startswith(f"laconic: {path}:")
        assert result.err.count("\n") == 1


def test_a_fault_is_reported_with_line_and_column(tmp_path: Path) -> None:
    path = faulty(tmp_path, "broken.conllu", TREE.encode() + b"1\tShips\tship\tNOUN\tNNS\t_\tseven\tdep\t_\t_\n\n")
    assert laconic("stats", path).err.startswith(f"laconic: {path}:4:")


@pytest.mark.parametrize("verb", VERBS)
def test_missing_files_and_directories_are_bad_input(tmp_path: Path, verb: str) -> None:
    for path in (tmp_path / "missing.conllu", tmp_path):
        result = laconic(verb, *arguments_of(verb, path))
        assert result.code == 1
        assert str(path) in result.err
        assert result.err.count("\n") == 1


def test_file_names_may_hold_any_letters(tmp_path: Path) -> None:
    path = tmp_path / "größe 樹 ø [b].conllu"
    path.write_text(TREE, "utf-8")
    assert laconic("stats", path).code == 0
    assert str(path) in laconic("stats", "--json", path).out


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_file_names_that_are_no_text_are_shown_escaped(tmp_path: Path) -> None:
    name = b"caf\xe9\x1b[31m.conllu"
    (tmp_path / os.fsdecode(name)).write_text(TREE.replace("\t0\t", "\t9\t"), "utf-8")
    done = subprocess.run(
        [*COMMAND, "stats", name], cwd=tmp_path, capture_output=True, env=os.environ | PLAIN, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(b"laconic: caf")
    assert b"\x1b" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_quiet_hides_warnings_but_not_errors(tmp_path: Path) -> None:
    path = faulty(tmp_path, "one.conllu", b"1\tword\n\n" + TREE.encode())
    assert laconic("stats", "--lenient", path).err != ""
    assert laconic("-q", "stats", "--lenient", path).err == ""
    assert laconic("-q", "stats", path).err != ""


def test_results_to_a_pipe_hold_no_escape_codes_and_no_progress(tmp_path: Path) -> None:
    result = laconic("stats")
    assert result.err == ""
    assert "\x1b" not in result.out


def test_a_process_gives_the_same_exit_codes_without_a_traceback(tmp_path: Path) -> None:
    for arguments, code in (["stats"], 0), (["stats", str(tmp_path)], 1), (["stats", "--frob"], 2):
        done = subprocess.run([*COMMAND, *arguments], capture_output=True, check=False)
        assert done.returncode == code
        assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of Unix")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_ends_quietly(tmp_path: Path, unbuffered: str) -> None:
    big = tmp_path / "big.conllu"
    big.write_text(TREE * 50_000, "utf-8")
    with subprocess.Popen(
        [*COMMAND, "convert", str(big), "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == TREE.splitlines(keepends=True)[0].encode()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of Unix")
def test_a_table_whose_reader_has_gone_ends_as_quietly(small_model: Path) -> None:
    for arguments in (["info", str(small_model)], ["stats"]):
        with subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(60) == 141


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of Unix")
def test_ctrl_c_ends_quietly() -> None:
    with subprocess.Popen(
        [*COMMAND, "-v", "stats", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | PLAIN,
        # A shell that runs the tests in the background tells its children to ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # type: ignore[arg-type,return-value]
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"laconic: reading <stdin>\n"  # it has started and waits for more
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (130, b"", b"")


def test_one_verb_is_loaded_without_the_others_and_without_what_draws() -> None:
    code = (
        "import sys, laconic.cli\nsys.argv = ['laconic', *sys.argv[1:]]\n"
        "try:\n    laconic.cli.main()\nexcept SystemExit:\n    pass\n"
        "print([name for name in sys.modules if name.startswith(('rich.', 'laconic.cli.'))], file=sys.stderr)"
    )
    given = [sys.executable, "-c", code, "-q", "parse", "--components", "segmenter", "--to", "text", "Ships sail."]
    done = subprocess.run(given, capture_output=True, text=True, check=True)
    assert done.stdout == "Ships sail .\n"
    assert "laconic.cli.parse" in done.stderr
    assert "laconic.cli.train" not in done.stderr
    assert "rich." not in done.stderr


@pytest.mark.parametrize(
    "arguments", [[], ["--help"], ["--verbose"], ["pars"], ["--version", "parse"], ["-x", "parse"]]
)
def test_all_verbs_are_there_where_none_is_named_first(arguments: list[str]) -> None:
    assert app.asked(arguments) == app.VERBS
    assert app.asked(["-v", "--quiet", "check", "parse"]) == ("check",)
