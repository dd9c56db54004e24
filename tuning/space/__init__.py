"""Search spaces: ranges of parameters, configurations, and spaces of TAG's files."""
