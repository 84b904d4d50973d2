"""The whole product against a reference model that is small enough to be obvious."""
