"""Pages of series: what everybody reads, and what organisers set."""
