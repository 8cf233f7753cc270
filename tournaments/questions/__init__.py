"""Questions of an event at registration: text, choice, yes or no, consent.

What may be asked and answered: ``rules.events.questions``. ``services`` adds and removes questions
and stores answers, which ``players.services.entries.register`` takes along; ``selectors`` puts
questions and answers side by side. Answers are read by their player and the staff alone: they are
in no line of the log, and in no page, endpoint or file for others.
"""
