"""Answer models that several tools share."""
