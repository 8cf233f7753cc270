"""The page of an event's log, with buttons to undo and redo.

``selectors`` shows the lines that a search finds as text with their changed values, those that hold
several, such as a formula's options, one by one, and has the labels of keys and values. The buttons
lead to the views of ``tournaments.undo``; what writes lines is ``tournaments.log.services``.
"""
