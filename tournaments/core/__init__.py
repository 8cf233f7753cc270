"""The state of an event, who may do and see what, and labels: every feature stands on this.

``event_state.load_facts`` reads an event in seven queries whatever its size (``rows``); ``mapping``
turns the rows into the values of ``rules``; ``StageFacts.outcome`` is what the rules compute from
them. ``facts_cache`` caches all that by version, for pages alone. Nothing that can be computed is
stored. ``permissions`` holds the predicates of (actor, object) that services enforce,
``visibility`` alone decides who reads which decklist, and says which Leaders may stand beside
names, which announcements pages show and what is public. ``labels`` names groups, rounds and
places, also in sentences, and ``extra_matches`` rounds of those, ``clocks`` reads the clock of a
round, ``formulas`` finds formulas by slug, ``draw_origins`` says where draws come from and leaves
damaged events out of lists, ``names`` shows names and checks what people type to confirm, and
``valid_columns`` lists the tables of an event for record, archives, snapshots, undo and erasures,
as models declare them. Core imports models and ``rules``, no feature.
"""
