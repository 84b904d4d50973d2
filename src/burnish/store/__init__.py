"""The journal: steps, events and what is projected from them."""
