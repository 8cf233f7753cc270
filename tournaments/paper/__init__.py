"""Sheets of paper as PDF: pairings, tables, standings, bracket, slips, seats, links, poster.

``contents`` says what stands on each sheet, as plain data with its words in the reader's language;
``sheets/`` lays them out for typst, one file each, what they share in ``common.typ``;
``services`` makes the PDF and small pictures, puts the sheets of a round into one and writes a
published round to a folder; ``views`` serves them to those who may read them, says which is due
now, and whose letters no font has.
"""
