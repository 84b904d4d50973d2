"""What finds defects by reading: one tool a file, each answering with classified findings."""
