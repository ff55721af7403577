"""What the simulator's speed is measured against."""
