"""The five ways of running the loop, as data: one seed per file."""
