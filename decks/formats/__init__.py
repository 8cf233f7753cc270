"""The deck formats as pages and JSON: names, rules in words, and a form to check a list.

The formats themselves are in ``rules.deckbuilding``; ``decks.rulebook`` adds house formats and card
lists.
"""
