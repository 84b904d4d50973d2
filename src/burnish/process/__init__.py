"""Children: started, watched, bounded, and never left behind."""
