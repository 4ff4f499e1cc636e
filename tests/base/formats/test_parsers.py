"""XML of untrusted origin: parsed whole, parsed up to a cut, or refused."""

import pytest

from sourcewright.base.formats.parsers import MAX_DEPTH, parse_document, parse_xml

LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;&x;">]>'
    b"<a><b>&y;</b><b>&y;</b></a>"
)
OUTSIDE = b'<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a><b/><c>&f;</c></a>'


@pytest.mark.parametrize("read", [parse_xml, parse_document])
@pytest.mark.parametrize("body", [LAUGHS, OUTSIDE], ids=["laughs", "outside"])
def test_entities_are_never_declared(read, body):
    with pytest.raises(ValueError, match="declares"):
        read(body)


def test_a_document_may_name_its_type():
    body = (
        b'<!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "jats.dtd"><article><p>t</p></article>'
    )

    root, cut = parse_document(body)

    assert ("".join(root.itertext()), cut) == ("t", False)


def test_a_document_that_was_cut_keeps_what_came():
    root, cut = parse_document(b"<a><b>one</b><b>two</b><b>thr")

    assert [one.text for one in root][:2] == ["one", "two"]
    assert cut


def test_a_document_that_is_nested_too_deep_ends_there():
    root, cut = parse_document(b"<a>" * 5000 + b"</a>" * 5000)

    assert sum(1 for _ in root.iter()) == MAX_DEPTH
    assert cut


@pytest.mark.parametrize("body", [b"", b"words", b"<a", b"{}", b"\xff\xfe"])
def test_what_is_no_xml_is_refused(body):
    with pytest.raises(ValueError, match="XML"):
        parse_document(body)
