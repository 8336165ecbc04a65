"""Models as wheels, and found by name once they are installed."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest
from cli.command import laconic

from laconic.errors import ConfigError, ModelError
from laconic.pipeline import load
from laconic.pipeline.loading import find
from laconic.pipeline.model_package import package


@pytest.fixture(scope="module")
def wheel(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    (place / "LICENCE").write_text("You may.\n", "utf-8")
    done = laconic(
        *("package", small_model, "--name", "xx_invented", "--licence", "CC0 1.0", "--language", "xx"),
        *("--licence-file", place / "LICENCE", "-o", place / "dist"),
    )
    assert done.code == 0, done.err
    assert "xx_invented-1.0.0-py3-none-any.whl" in done.err
    return place / "dist" / "xx_invented-1.0.0-py3-none-any.whl"


def install(wheel: Path, target: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(target)]
    done = subprocess.run([*command, str(wheel)], capture_output=True, text=True, check=False)
    if "No module named pip" in done.stderr:
        pytest.skip("needs pip")
    assert done.returncode == 0, done.stderr


@pytest.fixture
def installed(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(wheel, tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    return tmp_path / "site"


def test_a_wheel_has_the_model_its_card_and_its_licence_and_nothing_that_runs(wheel: Path, small_model: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert archive.read("xx_invented/model.laconic") == small_model.read_bytes()
        assert archive.read("xx_invented-1.0.0.dist-info/licenses/LICENSE") == b"You may.\n"
        card = archive.read("xx_invented/MODEL_CARD.md").decode()
        metadata = BytesParser().parsebytes(archive.read("xx_invented-1.0.0.dist-info/METADATA"))
    assert not [name for name in names if name.endswith((".py", ".pth", ".so", ".sh"))]
    assert (metadata["Name"], metadata["Version"], metadata["License"]) == ("xx_invented", "1.0.0", "CC0 1.0")
    assert metadata["Requires-Dist"].startswith("laconic>=")
    for said in ("- Licence: CC0 1.0", "- Language: xx", "segmenter, morphology", "## Scores, development data"):
        assert said in card


def test_equal_models_are_equal_wheels(wheel: Path, small_model: Path, tmp_path: Path) -> None:
    other = package(
        small_model,
        "xx_invented",
        tmp_path,
        licence="CC0 1.0",
        language="xx",
        licence_file=wheel.parent.parent / "LICENCE",
    )
    assert other.read_bytes() == wheel.read_bytes()


def test_an_installed_model_is_loaded_by_its_name(installed: Path, small_model: Path) -> None:
    nlp = load("xx_invented")
    text = "Lo petum kui. La dela?"
    assert nlp(text) == load(small_model)(text)
    assert "xx_invented" not in sys.modules  # nothing of the package is imported
    assert b"site" not in pickle.dumps(nlp)  # a name, so that it is found where others have installed it
    assert pickle.loads(pickle.dumps(nlp)).digest == nlp.digest
    done = laconic("parse", "-m", "xx_invented", text)
    assert done.code == 0, done.err


def test_models_are_listed_with_where_they_come_from(installed: Path) -> None:
    listed = {one["name"]: one for one in json.loads(laconic("models", "--json", "--check").out)}
    own = listed["xx_invented"]
    assert (own["from"], own["licence"], own["language"]) == ("xx_invented 1.0.0", "CC0 1.0", "xx")
    assert own["scores"]["full"]["UPOS"] > 50
    assert listed["en"]["from"] == "part of laconic"
    assert listed["en"]["licence"] == "CC BY-SA 4.0"
    shown = laconic("models").out
    assert "xx_invented 1.0.0" in shown
    assert "CC0 1.0" in shown


def test_a_package_whose_model_was_exchanged_or_lost_is_refused(installed: Path, small_model: Path) -> None:
    model = installed / "xx_invented" / "model.laconic"
    load(small_model).select("segmenter").save(model)
    with pytest.raises(ModelError, match="not the one that its package was made with"):
        load("xx_invented")
    model.write_bytes(small_model.read_bytes()[:-1])
    with pytest.raises(ModelError, match="damaged"):
        load("xx_invented")
    model.unlink()
    with pytest.raises(ModelError, match=r"has no model\.laconic"):
        load("xx_invented")
    (installed / "xx_invented" / "model.json").write_text("[]", "utf-8")
    with pytest.raises(ModelError, match="is damaged"):
        load("xx_invented")


def test_two_packages_with_one_model_are_refused(
    installed: Path, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other" / "another-1.0.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: another\nVersion: 1.0\n", "utf-8")
    (other / "entry_points.txt").write_text("[laconic.models]\nxx_invented = elsewhere\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path / "other")
    with pytest.raises(ModelError, match="two packages bring a model of this name"):
        load("xx_invented")


def test_names_of_models_go_before_files_and_paths_are_no_names(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xx_invented").write_bytes(b"")
    assert find("xx_invented").path == installed / "xx_invented" / "model.laconic"
    assert find("./xx_invented").path == Path("./xx_invented")
    with pytest.raises(ModelError, match=r"no such model: .* installed are .*xx_invented"):
        find("xx_inventad")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": "My-Model"}, "small letters"),
        ({"name": "laconic"}, "choose another"),
        ({"name": "en"}, "found first"),
        ({"name": "class"}, "small letters"),
        ({"name": "numpy"}, "a Python module"),
        ({"name": "json"}, "a Python module"),
        ({"name": "../x"}, "small letters"),
        ({"version": "1.0 final"}, "the version must be"),
        ({"licence": ""}, "does not say its licence"),
        ({"licence": "a\nb"}, "one line each"),
    ],
)
def test_what_pip_would_not_take_is_refused(
    small_model: Path, tmp_path: Path, settings: dict[str, str], message: str
) -> None:
    given = {"name": "xx_invented", "licence": "CC0 1.0"} | settings
    with pytest.raises(ConfigError, match=message):
        package(small_model, given.pop("name"), tmp_path / "dist", **given)
    assert not (tmp_path / "dist").exists()


def test_a_file_that_is_no_model_makes_no_wheel(tmp_path: Path) -> None:
    (tmp_path / "x.laconic").write_bytes(b"no model")
    done = laconic("package", tmp_path / "x.laconic", "--name", "xx", "--licence", "MIT", "-o", tmp_path / "dist")
    assert (done.code, "not a laconic model" in done.err) == (1, True)
