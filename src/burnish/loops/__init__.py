"""What parallel loops are made of, without any of the outside: effort, tasks, groups, states and rules."""
