"""What agents are told: Markdown templates and their loader."""
