"""What the loop costs, beside a frozen shell script and a peer: ratios from one run on one machine."""
