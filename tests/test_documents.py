"""What the documents say must be so: recipes run, links lead somewhere."""

from __future__ import annotations

import gzip
import json
import pkgutil
import re
import shlex
from pathlib import Path

import pytest
import synthetic
from cli.command import laconic

import laconic as package

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "laconic"
README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M)


GUIDES = [(ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("guide", "training", "query")]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = tmp_path_factory.mktemp("model")
    (place / "train.conllu").write_text(synthetic.conllu(40, 1), "utf-8")
    files = ("--train", place / "train.conllu", "--dev", place / "train.conllu", "-o", place / "tagger.laconic")
    assert laconic("train", *files, "--components", "segmenter,morphology,lemmatizer").code == 0
    return (place / "tagger.laconic").read_bytes()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: bytes) -> Path:
    """A folder with the files that the recipes speak of."""
    text = synthetic.conllu(40, 1)
    for name in ("train", "dev", "gold", "system", "new"):
        (tmp_path / f"{name}.conllu").write_text(text, "utf-8")
    (tmp_path / "labelled.conllu").write_text(synthetic.conllu(40, 2), "utf-8")  # text that the treebank does not have
    for name in ("train", "web"):
        (tmp_path / f"{name}.conllu.gz").write_bytes(gzip.compress(text.encode()))
    for name in ("tagger", "my"):
        (tmp_path / f"{name}.laconic").write_bytes(model)
    (tmp_path / "notes.txt").write_text("La ship sails. Who waits?\n" * 20, "utf-8")
    (tmp_path / "corpus.csv").write_text("id,body\na,La ship sails.\nb,Who waits?\n", "utf-8")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "one.txt").write_text("La ship sails. Who waits?\n" * 20, "utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "two.txt").write_text("La ship sails.\n", "utf-8")
    (tmp_path / "my.toml").write_text(blocks("toml", GUIDES[1])[0], "utf-8")
    monkeypatch.chdir(tmp_path)
    assert laconic("convert", "train.conllu", "old.conll", "--to", "conllx").code == 0
    return tmp_path


def test_the_first_commands_install_and_test() -> None:
    first, second = blocks("sh")[:2]
    assert first.startswith('pip install . && laconic parse --to table "')
    assert second == "pip install '.[test]' && pytest -n auto\n"


@pytest.mark.parametrize("code", blocks("python"), ids=lambda code: code.strip().splitlines()[0])
def test_python_recipes_run(place: Path, code: str) -> None:
    exec(compile("import laconic\n" + code, "README.md", "exec"), {})


@pytest.mark.parametrize("line", [line for block in blocks("sh")[2:] for line in block.splitlines()])
def test_shell_recipes_run(place: Path, line: str) -> None:
    command, *arguments = shlex.split(line, comments=True)
    assert command == "laconic"
    result = laconic(*arguments)
    assert result.code == 0, result.err


@pytest.mark.parametrize("guide", GUIDES, ids=lambda text: text.splitlines()[0])
def test_recipes_of_the_guides_run(place: Path, guide: str) -> None:
    names: dict[str, object] = {}
    for language, block in re.findall(r"^```(sh|python)\n(.*?)^```", guide, re.S | re.M):
        if language == "python":
            exec(compile(block, "a guide", "exec"), names)
            continue
        for line in block.splitlines():
            command, *arguments = shlex.split(line, comments=True)
            assert command == "laconic"
            result = laconic(*arguments)
            assert result.code == 0, (line, result.err)


def test_the_recipes_score_given_words_and_raw_text(place: Path) -> None:
    given, raw = re.findall(r"^```sh\n(laconic parse .*?)^```", GUIDES[1], re.S | re.M)[:2]
    scores = []
    for block in (given, raw):
        parse, evaluate = (shlex.split(line)[1:] for line in block.splitlines())
        assert laconic(*parse).code == 0
        scores.append(json.loads(laconic(*evaluate, "--json").out))
    assert all(scores[0][name]["f1"] == 100 for name in ("Tokens", "Words", "Sentences"))
    assert scores[1]["Words"]["f1"] > 50
    assert "# sent_id = s1-1\n" in Path("system.conllu").read_text("utf-8")  # as in the treebank
    assert "# sent_id = 1\n" in Path("raw.conllu").read_text("utf-8")  # found by the segmenter
    once = json.loads(laconic("evaluate", "--raw", "my.laconic", "dev.conllu", "--json").out)
    assert once == scores[1]
    assert laconic("convert", "dev.conllu", "dev.txt", "--to", "text").code == 0
    assert Path("dev.txt").read_text("utf-8").strip() == package.read("dev.conllu").text.strip()


def test_the_document_of_models_says_the_format_that_is_written() -> None:
    from laconic.pipeline.modelfile import FORMAT

    said = re.findall(r"`format` \| version of the layout, now (\d+)", (ROOT / "docs" / "models.md").read_text("utf-8"))
    assert said == [str(FORMAT)]


def test_explanations_are_printed_as_the_document_says(place: Path) -> None:
    explained = json.loads(laconic("explain", "La ship sails.", "-m", "my.laconic", "--json").out)
    assert isinstance(explained, list)
    assert {one["word"] for one in explained} == set(range(4))
    (said,) = re.findall(r"^An explanation has (.*)", (ROOT / "docs" / "serve.md").read_text("utf-8"), re.M)
    assert {"component", "question", "label", "steps", "checks"} <= explained[0].keys()
    assert all(f"`{name}`" in said or name in ("word", "start", "effect") for name in explained[0])


SCRIPTS = sorted(
    path
    for path in (*(ROOT / "experiments").glob("*/*.py"), *(ROOT / "benchmarks").glob("*.py"))
    if path.name != "__init__.py"
)
HELPERS = {
    "experiments/chang2007/stages.py",
    "experiments/he2013/policies.py",
    "experiments/nilsson2010/data.py",
    "experiments/shen2016/labelers.py",
    "experiments/strubell2015/methods.py",
    "benchmarks/peers.py",
}
"""What scripts share: no experiment of its own."""


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_experiment_is_in_the_index(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    index = (ROOT / "docs" / "experiments.md").read_text("utf-8")
    rows = [line for line in index.splitlines() if line.startswith(f"| [{path.name}](../{name})")]
    assert len(rows) == (name not in HELPERS)


WRITTEN_BY_RUNS = {"build"}
PLACES = (ROOT, ROOT / "src", PACKAGE, ROOT / "docs", ROOT / "core", ROOT / "experiments")


@pytest.mark.parametrize(
    "path", [path for path in DOCUMENTS if path.name != "CHANGELOG.md"], ids=lambda path: path.name
)
def test_names_and_files_of_the_package_that_documents_speak_of_exist(path: Path) -> None:
    prose = re.sub(r"^ *```.*?^ *```", "", path.read_text("utf-8"), flags=re.S | re.M)
    for said in re.findall(r"`([^`\n]+)`", prose):
        if re.fullmatch(r"laconic(\.\w+)+", said):
            assert pkgutil.resolve_name(said) is not None, said
        elif re.fullmatch(r"[\w*-][\w.*-]*(/[\w.*-]+)+", said) and said.split("/")[0] not in WRITTEN_BY_RUNS:
            assert any(any(place.glob(said)) for place in PLACES), said


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", path.read_text("utf-8")):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target
