"""Diagrams of formulas and brackets: columns of boxes with lines.

``selectors.brackets`` defines columns, boxes and lines, and makes those of a bracket,
``selectors.formula_layout`` those of a whole formula, with the coordinates for the SVG picture of
the page and of the builder's preview.

``selectors.drawn_brackets`` lays out the page of the bracket: rounds side by side, lines drawn by
the stylesheet, large knock-outs folded by quarters. ``drawn_slots`` makes the matches, says
which names fit, and the path of the player who is followed, whom ``shown_brackets`` finds by
letters of a name.

``selectors.placed_brackets`` gives each match of a bracket a column and a row, for sheets of paper
and of workbooks.
"""
