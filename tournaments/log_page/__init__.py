"""The page of an event's log, with buttons to undo and redo.

``selectors.lines`` shows the lines that a search finds as text, ``selectors.changes`` their changed
values, ``selectors.parts`` those that hold several, such as a formula's options, one by one; the
labels of actions, keys and values stand in ``selectors.words``. The buttons lead to the views of
``tournaments.undo``; what writes lines is ``tournaments.log.services``.
"""
