"""Everything git: one scrubbed call, the mirror, workspaces, snapshots, landing."""
