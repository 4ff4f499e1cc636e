"""CSS: style sheets, selectors, values; for what is visible on a page."""
