"""Questions of an event at registration: text, choice, yes or no, consent; contact asked for.

What may be asked and answered: ``rules.events.questions``. ``services`` adds, changes, moves and
removes questions; answers are stored by ``players.services.entries``,
contacts by ``players.services.contacts``.
"""
