"""The built-in strategies, one idea per file. Each is an example to copy."""
