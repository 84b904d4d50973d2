"""A review as one document: one format a file, each with `render(report) -> str`."""
