"""Events: created from a template, set up, opened for registration, finished, deleted.

``forms.event`` reads the settings, with the fields of the chosen formula's options
(``forms.formula_fields``); ``services`` checks their combination,
stores them and moves the event from state to state. ``selectors.events`` makes the rows of lists
and says which step is next, ``selectors.rules_in_words`` the sentences of the public rules,
``inverses`` undoes changed settings. An event that has not started follows its formula; a started
one keeps its plan.
"""
