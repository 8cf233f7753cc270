"""Names by which programs outside find rules as data (``rules.deckbuilding.data``)."""
