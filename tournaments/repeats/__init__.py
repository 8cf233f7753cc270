"""The next event of a chain, made from the last by one act, and its regulars.

``rules.events.repeats`` says when it is and what it is called, ``rules.people.appearances`` who is
one person. ``Event.source`` is the event that one repeats, ``Entry.origin`` the entry that a
regular came from; ``selectors`` finds both, ``services`` makes them.
"""
