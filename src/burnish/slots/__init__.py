"""What slots are made of, without any of the outside: beads, picking, stop markers, retry delays, prompts."""
