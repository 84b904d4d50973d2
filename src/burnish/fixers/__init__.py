"""What repairs a finding without a model: one way a file."""
