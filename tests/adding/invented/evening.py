"""A template of a new event: two groups of Stones on a Monday evening."""

from tournaments.events.event_templates import TEMPLATES, EventTemplate

TEMPLATES.add(
    EventTemplate(
        key="stones-evening",
        label="Stones evening",
        about="everybody meets everybody, 20 minutes a round",
        icon="clock",
        values={"format": "stones", "formula": "single-group", "minutes": 20},
    )
)
