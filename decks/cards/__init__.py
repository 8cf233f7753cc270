"""Card catalogues: the site's, or an organiser's own, which takes precedence in their events.

``files`` reads a catalogue from a table and ``published`` as others offer it, ``catalogues``
compares it with the stored one, and ``services.load_cards`` stores it. ``catalogues`` returns the
catalogue in effect, cached in each process under its stored version, as an ``index.CardIndex``: the
rules' ``Catalogue`` and the completion of names. An event keeps the version it began with
(``services.pin_catalogue_version``): cards that a load replaces or removes stay as long
as an event needs them. A card named in two languages has one key.
"""
