"""State of the site for its operator: versions, disk, backup, last errors, and a test mail."""
