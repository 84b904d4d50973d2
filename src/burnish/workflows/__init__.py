"""Plain functions over ports: what Burnish does, without how."""
