"""Real agent CLIs against a scripted model on loopback, through the real command line: `make e2e`."""
