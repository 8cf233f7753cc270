"""Files made out of an event: the workbook."""
