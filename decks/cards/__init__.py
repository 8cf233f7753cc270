"""Card catalogues: the site's, or an organiser's own, which takes precedence in their events.

``files`` reads a catalogue from a table and ``published`` as others offer it, ``changes`` compares
it with the stored one, and ``services.load_cards`` stores it. ``catalogues`` returns the catalogue
in effect, cached in each process under its stored version, as an ``index.CardIndex``: the rules'
``Catalogue`` and the completion of names. A card named in two languages has one key. ``games``
names the games that may have cards, ``samples`` invents cards for demonstrations.
"""
