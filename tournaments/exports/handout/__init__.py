"""The workbook of the standings, to be printed and handed out.

``file`` chooses the sheets. ``contents`` says what the first one tells, ``result_sheet`` draws it
on the columns of ``grid``, chooses the brackets and ``groups`` that fit below the standing, and
says where pages end. ``grid`` draws brackets on cells, too, on the first sheet and on the bracket's
own. ``file`` makes the tables of the other sheets.
"""
