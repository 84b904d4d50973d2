"""MCP tools for agents that Burnish starts: one Unix socket a step, scoped to what that step is about."""
