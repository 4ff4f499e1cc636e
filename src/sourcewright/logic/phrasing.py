"""Puts a name into a query of Lucene's kind so that nothing in it can change the query."""


def phrase(text: str, *, also: str = "") -> str:
    """The text as a quoted phrase; within one, only quotes and backslashes have a meaning.

    `also` names further characters that a source wants escaped wherever they stand.
    """
    special = '"\\' + also
    return '"' + "".join(f"\\{char}" if char in special else char for char in text) + '"'
