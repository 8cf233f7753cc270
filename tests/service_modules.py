"""The modules of services: those in which each function is a whole act of somebody."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]


def service_files() -> list[Path]:
    """Return the files of every feature's services, in the order of their names."""
    features = ROOT / "tournaments"
    return sorted([*features.glob("*/services.py"), *features.glob("*/services/*.py")])


def service_modules() -> Iterator[tuple[str, ModuleType]]:
    """Yield the name of the feature and the module, for every module of services."""
    for path in service_files():
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield parts[1], importlib.import_module(".".join(parts).removesuffix(".__init__"))
