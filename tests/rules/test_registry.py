"""Registries: one key once, and every module of a family's folder is imported."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from rules import criteria, formulas, stages
from rules.deckbuilding.formats import DeckFormat
from rules.errors import BadInput
from rules.registry import Registry, import_submodules
from rules.stages import STAGE_KINDS


def test_what_is_defined_is_made_and_registered() -> None:
    names = Registry("scenario", SimpleNamespace)
    made = names.define(key="one", text="x")
    assert (names.get("one"), made.text) == (made, "x")
    with pytest.raises(ValueError, match="'one'"):
        names.define(key="one", text="y")


def test_a_second_use_of_a_key_is_refused() -> None:
    with pytest.raises(ValueError, match="'swiss'"):
        STAGE_KINDS.add(STAGE_KINDS.get("swiss"))
    with pytest.raises(BadInput, match="Unknown option"):
        Registry("game", DeckFormat).get("go")


@pytest.mark.parametrize("family", [criteria, formulas, stages], ids=lambda m: m.__name__)
def test_every_module_of_a_family_is_imported_without_being_named(family: object) -> None:
    (folder,) = family.__path__  # type: ignore[attr-defined]
    modules = {path.stem for path in Path(folder).glob("*.py")} - {"__init__"}
    name = family.__name__  # type: ignore[attr-defined]
    assert modules <= {loaded.removeprefix(f"{name}.") for loaded in sys.modules}


def test_a_module_that_is_put_there_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = tmp_path / "invented_family"
    family.mkdir()
    (family / "__init__.py").write_text("found = []\n")
    (family / "one.py").write_text("import invented_family\ninvented_family.found.append('one')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import_submodules("invented_family", [str(family)])
    assert sys.modules["invented_family"].found == ["one"]
    for loaded in ("invented_family", "invented_family.one"):
        monkeypatch.delitem(sys.modules, loaded)
