"""The settings of events with what is invented."""

from typing import Any

from tournaments.models import Event

CRITERION, GAME, KIND, FORMULA = "decisive", "stones", "ladder", "ladder-final"
SETTINGS: dict[str, Any] = {
    "format": GAME,
    "formula": FORMULA,
    "criteria": ["points", CRITERION, "lots"],
    "decklists": Event.Decklists.REQUIRED,
}
ROOT = "/api/v1/"
