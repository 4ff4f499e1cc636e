"""Prepares the structure of a page: what generators and wikis lay out with other elements.

After it infoboxes and grids are tables, figures are figures, and highlighted code is `pre`.
"""

from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.structure.callouts import prepare_callouts
from sourcewright.reading.html.structure.code_blocks import prepare_code
from sourcewright.reading.html.structure.code_tabs import label_code_tabs
from sourcewright.reading.html.structure.doxygen import prepare_doxygen
from sourcewright.reading.html.structure.figures import prepare_figures
from sourcewright.reading.html.structure.footnotes import FootnoteLabels, mark_footnotes
from sourcewright.reading.html.structure.grids import make_tables
from sourcewright.reading.html.structure.infoboxes import prepare_infoboxes
from sourcewright.reading.html.structure.inline_notes import move_inline_notes
from sourcewright.reading.html.structure.item_lists import prepare_item_lists
from sourcewright.reading.html.structure.latexml import prepare_latexml
from sourcewright.reading.html.structure.text_controls import drop_text_controls


def prepare_text(body: Node, index: AttributeIndex) -> None:
    """Mark footnotes, and then drop controls, which the links back from them look like."""
    labels = FootnoteLabels()
    move_inline_notes(index, labels)
    mark_footnotes(body, index, labels)
    drop_text_controls(body)


def prepare_structure(body: Node, index: AttributeIndex) -> None:
    prepare_infoboxes(index)
    prepare_figures(index)
    prepare_callouts(index)
    prepare_doxygen(index)
    prepare_latexml(index)
    prepare_item_lists(body, index)
    make_tables(body, index)
    label_code_tabs(body)
    prepare_code(body, index)
