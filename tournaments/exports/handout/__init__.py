"""The workbook of the standings, to be printed and handed out.

``file`` chooses the sheets. ``contents`` and ``exits`` say what the first one tells,
``result_sheet`` draws it as a page with ``brackets`` and ``groups`` below, on the columns of
``grid``; ``stages`` makes the tables of the other sheets.
"""
