"""Diagrams of formulas and brackets: columns of boxes with lines.

``selectors.nodes`` defines columns, boxes and lines; ``selectors.brackets`` makes those of a
bracket, ``selectors.formula_picture`` those of a whole formula, ``selectors.formula_layout`` the
coordinates for the SVG picture of the page and of the builder's preview.

``selectors.drawn_brackets`` lays out the page of the bracket: rounds side by side, lines drawn by
the stylesheet; ``drawn_trees`` large knock-outs, folded by quarters. ``drawn_slots`` makes the
matches, ``drawn_paths`` the path of the player who is followed, whom ``followed`` finds by letters
of a name. ``name_widths`` says which names fit.
"""
