"""An event checked again from its stored facts: whatever the site says must follow from them."""
