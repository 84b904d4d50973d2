"""The scripted model server, asked as the CLIs ask it."""
