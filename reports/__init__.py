"""From counts to tables, statistics, charts and pages. Knows nothing of how games are played."""
