"""Signs in histories, and the policies that act on them."""
