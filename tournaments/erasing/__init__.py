"""Erasing of personal data: a player from an event, an account from the site; data download.

``services.erase`` has the services. ``services.rows`` collects the names by which log and rows
refer to a player number (``rules/people/mentions.py`` finds them in texts) and redacts the rows of
the event and its log, ``services.copies`` the row differences stored for undo and the snapshots.
The row of a closed account stays, as others refer to it, without personal data. Log lines that held
the name lose their salt (``chain.lines.replace_private_columns``) and are listed in the line of the
erasure, so the chain still holds. Erasures are recorded, without names, in the database and in a
file beside it; ``services.erase.apply_erasures`` applies the list to restored backups and archives.
``selectors`` collects the data of a person for download.

``services.copies`` lists, too, the texts in which a word of the name may still stand, for people to
decide.

Each model declares what is done to its texts (``models.tables.TextErasure``). docs/privacy.md says
what is erased and what stays.
"""
