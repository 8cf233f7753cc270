"""The dependencies of the package: the lines of requirements-site.txt."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Requirements(MetadataHookInterface):
    """Reads what a running site needs from where it is kept."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the dependencies."""
        lines = Path(self.root, "requirements-site.txt").read_text(encoding="utf-8").splitlines()
        needed = (line.partition(" #")[0].strip() for line in lines)
        metadata["dependencies"] = [line for line in needed if line and line[0] != "#"]
