"""Page layout: words with positions and fonts become headings, paragraphs, lists and tables."""
