"""Names of people: validated when entered (``person_names``), found when erased (``mentions``)."""
