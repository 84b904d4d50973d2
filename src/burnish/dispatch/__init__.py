"""Where runs execute."""
