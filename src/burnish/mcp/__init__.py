"""`burnish mcp`: Burnish as tools of a host agent, over stdio or HTTP on loopback."""
