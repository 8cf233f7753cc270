"""Games of one's own that tests play: one without lists, one whose lists rules count."""

import json
from typing import Any

from django.test import Client

CATAN: dict[str, Any] = {"game": "Catan", "name": "Serata Catan", "lists": "off"}
PAUPER: dict[str, Any] = {
    "game": "Magic",
    "name": "Pauper del venerdì",
    "lists": "counted",
    "rules": {
        "zones": [
            {"key": "main", "name": "Deck", "min": 60},
            {"key": "side", "name": "Sideboard", "max": 15},
        ],
        "copies": {"max": 4, "unlimited": ["Isola"]},
        "not_checked": ["colours"],
        "match": {"best_of": 3, "minutes": 50},
    },
}


def posted(client: Client, url: str, body: object) -> Any:
    """Return the answer to a JSON body."""
    return client.post(url, json.dumps(body), content_type="application/json")
