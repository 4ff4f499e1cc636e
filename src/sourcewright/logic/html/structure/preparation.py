"""Prepares the structure of a page: what generators and wikis lay out with other elements.

After it infoboxes and grids are tables, figures are figures, and highlighted code is `pre`.
"""

from sourcewright.logic.html.document import AttributeIndex, Node
from sourcewright.logic.html.structure.callouts import prepare_callouts
from sourcewright.logic.html.structure.code_blocks import prepare_code
from sourcewright.logic.html.structure.code_tabs import label_code_tabs
from sourcewright.logic.html.structure.doxygen import prepare_doxygen
from sourcewright.logic.html.structure.figures import prepare_figures
from sourcewright.logic.html.structure.footnotes import FootnoteLabels, mark_footnotes
from sourcewright.logic.html.structure.grids import make_tables
from sourcewright.logic.html.structure.infoboxes import prepare_infoboxes
from sourcewright.logic.html.structure.inline_notes import move_inline_notes
from sourcewright.logic.html.structure.item_lists import prepare_item_lists
from sourcewright.logic.html.structure.latexml import prepare_latexml
from sourcewright.logic.html.structure.text_controls import drop_text_controls


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
