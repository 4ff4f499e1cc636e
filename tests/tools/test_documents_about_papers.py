"""Documents that carry a paper's title, authors and DOI and are not the paper, at its own location."""

import io

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from sourcewright.world import pdf
from sourcewright.world.corpus import load

pytestmark = pytest.mark.anyio

FETCH, DOWNLOAD = "doiget_fetch_paper", "paper_download"
PLOS, EUROPE_PMC = "journals.plos.org", "*europepmc.org"
FINE = "10.5555/fine-paper"
TITLE = "Tidal mixing and the memory of estuaries"
PEOPLE = "Adaeze Okonkwo, Åsa Lindqvist"
OTHERS = "Maria Castellano, Tomas Bell"
OWN = f"https://doi.org/{FINE}"
PROSE = "The gauges were read at noon, and the tide had turned before the boat was back. " * 30
END = "5 Conclusions"


def document(*pages: str, size=(595, 842), subject: str = "", title: str = "") -> bytes:
    """A PDF with these pages; each line is set in its width."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=size)
    canvas.setSubject(subject)
    canvas.setTitle(title)
    canvas.setCreator("x" * 12_000)  # longer than an error page
    for page in pages:
        y = size[1] - 60
        for text in page.splitlines():
            for line in simpleSplit(text, "Helvetica", 10, size[0] - 120):
                canvas.setFont("Helvetica", 10)
                canvas.drawString(60, y, line)
                y -= 13
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def about(heading: str, pages: int = 6, **fields: str) -> bytes:
    return document(f"{heading}\n{PROSE}", *[PROSE] * (pages - 2), f"{PROSE}\n{END}", **fields)


def fine() -> bytes:
    return pdf.paper(load().by_doi(FINE))


def overwritten(share: float, byte: bytes = b"\0") -> bytes:
    body = fine()
    start, size = len(body) // 3, int(len(body) * share)
    return body[:start] + byte * size + body[start + size :]


SLIDES = ["Motivation\n- salt", "Model\n- water", "Data\n- gauges", "Results\n- tides", "Outlook"]
MENU = "Skip to main content\nSearch\nLog in\nJournal home\nDownload PDF\nCookies\nBack to top"
ABOUT = {
    "supporting information": about(f"Supporting Information\n{TITLE}\n{PEOPLE}\n2019"),
    "appendix": about(f"Appendix\n{TITLE}\n{PEOPLE}\n2019\n{OWN}"),
    "online resource": about(f"Online Resource 1\n{TITLE}\n{PEOPLE}\nJournal of Tidal Research"),
    "electronic supplement": about(f"{TITLE}\n{PEOPLE}\n2019\nElectronic supplementary material"),
    "data s1": about(f"{TITLE}: Data S1\n{PEOPLE}\n2019"),
    "supplementary appendix": about(
        f"Supplementary appendix\nThis appendix formed part of the original submission.\n"
        f"Supplement to: Okonkwo A, Lindqvist Å. {TITLE}. Journal of Tidal Research 2019. {OWN}"
    ),
    "supplement by its captions": about(
        f"{TITLE}\n{PEOPLE}\n2019\nFigure S1. Sites\nTable S2. Salt"
    ),
    "supplement by its running heads": document(
        *(f"SI Appendix\n{text}" for text in (f"{TITLE}\n{PEOPLE}\n2019\n{PROSE}", PROSE, PROSE))
    ),
    "supplement by its metadata": about(
        f"{TITLE}\n{PEOPLE}\n2019", title=f"Supplementary Information for {TITLE}"
    ),
    "annexe": about(f"Matériel supplémentaire\n{TITLE}\n{PEOPLE}\n2019"),
    "anhang": about(f"Anhang\n{TITLE}\n{PEOPLE}\n2019"),
    "reporting summary": about(
        f"nature portfolio\nReporting Summary\nCorresponding author(s): Adaeze Okonkwo\n{TITLE}\n2019"
    ),
    "checklist": about(
        f"CONSORT 2010 checklist of information to include\n{TITLE}\n{PEOPLE}\n2019"
    ),
    "peer review file": about(f"Transparent Peer Review File\n{TITLE}\n{PEOPLE}\n2019"),
    "response to reviewers": about(
        f"Response to the reviewers' comments\n{TITLE}\n{PEOPLE}\n2019"
    ),
    "rebuttal": about(f"Point-by-point response\n{TITLE}\n{PEOPLE}\n2019\n{OWN}"),
    "protocol": about(f"Clinical Trial Protocol\n{TITLE}\n{PEOPLE}\n2019"),
    "analysis plan": about(
        f"Statistical Analysis Plan (SAP), version 1.1\n{TITLE}\n{PEOPLE}\n2019"
    ),
    "correction": about(f"Corrigendum to “{TITLE}”\n{PEOPLE}\n2019\n{OWN}", 2),
    "withdrawn": about(f"Withdrawn: {TITLE}\n{PEOPLE}\n2019\n{OWN}", 2),
    "retraction": about(f"Retraction notice\n{TITLE}\n{PEOPLE}\n2019\n{OWN}", 2),
    "fe de erratas": about(f"Fe de erratas\n{TITLE}\n{PEOPLE}\n2019", 2),
    "comment": about(f"Comment on “{TITLE}”\n{OTHERS}\n2019", 2),
    "reply": about(f"Reply to “{TITLE}”\n{PEOPLE}\n2019", 2),
    "editorial": about(
        f"Editorial\nWhat the tides tell us\n{OTHERS}\nIn “{TITLE}” Okonkwo shows it."
    ),
    "lay summary": about(f"Lay summary: {TITLE}\n{PEOPLE}\n2019", 2),
    "plain-language summary": about(f"Plain language summary\n{TITLE}\n{PEOPLE}\n2019\n{OWN}", 2),
    "press release": about(f"Press release\n{TITLE}\n{PEOPLE}\n2019", 2),
    "slides": document(f"{TITLE}\n{PEOPLE}\n2019", *SLIDES, size=(960, 540)),
    "poster": document(f"{TITLE}\n{PEOPLE}\n2019\n{PROSE}", size=(2384, 3370)),
    "book of abstracts": about(f"Book of Abstracts\nLisbon 2019\n{TITLE}\n{PEOPLE}", 80),
    "contents": about(
        f"Journal of Tidal Research\nVolume 14, 2019\nContents\nOn fogs 7\n{TITLE} 101\n{PEOPLE}"
    ),
    "thesis": document(
        f"University of Meridian\n{TITLE}\nAdaeze Okonkwo\nPhD thesis\n2019", *[PROSE] * 109
    ),
    "thesis of few pages": about(
        f"{TITLE}\nAdaeze Okonkwo\nA dissertation submitted in partial fulfilment of the "
        "requirements for the degree of Master of Science\n2019"
    ),
    "these": about(f"Thèse de doctorat\n{TITLE}\nAdaeze Okonkwo\n2019"),
    "something longer": about(f"{TITLE}\nAdaeze Okonkwo\n2019", 90),
    "other authors": about(f"{TITLE}\n{OTHERS}\n2019\nAbstract"),
    "preprint of others": about(
        f"bioRxiv preprint doi: https://doi.org/10.1101/2019.05.03.123456\n{TITLE}\n{OTHERS}\n2019"
    ),
    "another DOI": about(
        f"Journal of Tidal Research 7 (2019) 1-9\nhttps://doi.org/10.5555/another\n{TITLE}\n{PEOPLE}"
    ),
    "translation": about(
        f"Gezeiten und das Gedächtnis der Mündungen\n({TITLE})\n{PEOPLE}\n"
        "© 2019 Tiden. DOI: 10.5555/uebersetzung"
    ),
    "citing paper": about(f"On frozen lakes\n{PEOPLE}\n2019\nThis extends “{TITLE}” ({OWN})."),
    "landing page": about(f"{MENU}\n{TITLE}\n{PEOPLE}\n2019\n{OWN}\nAbstract", 2),
    "sign-in page": document(f"{TITLE}\n{PEOPLE}\n{OWN}\nPlease sign in to read this article."),
    "cover sheet": document(f"Meridian Repository\n{TITLE}\n{PEOPLE}\n{OWN}\nPublished version"),
    "first page": document(f"{TITLE}\n{PEOPLE}\n2019\n{OWN}\nAbstract\n{PROSE}"),
    "zeroed": overwritten(1 / 3),
    "overwritten": overwritten(1 / 3, b"\x9c\x5e"[:1]),
}
ABSTRACT = f"Abstract\n{PROSE}\n1 Introduction"
THE_PAPER = {
    "journal": about(
        f"Journal of Tidal Research 14 (2019) 101-119\n{OWN}\n{TITLE}\n{PEOPLE}\n{ABSTRACT}"
    ),
    "manuscript": about(f"{TITLE}\n{PEOPLE}\n2019\n{ABSTRACT}"),
    "links beside the title": about(
        f"{TITLE}\n{PEOPLE}\nCite This: Journal of Tidal Research 2019\nRead Online\n"
        f"Supporting Information\nPeer Review reports\n{ABSTRACT}"
    ),
    "section above the title": about(f"COMMENTARY\n{TITLE}\n{PEOPLE}\n2019\n{ABSTRACT}"),
    "The": about(f"The {TITLE[0].lower()}{TITLE[1:]}\n{PEOPLE}\n2019\n{ABSTRACT}"),
    "On the": about(f"On the {TITLE[0].lower()}{TITLE[1:]}\n{PEOPLE}\n2019\n{ABSTRACT}"),
    "Review": about(f"Review: {TITLE}\n{PEOPLE}\n2019\n{ABSTRACT}"),
    "capitals": about(f"{TITLE.upper()}\n{PEOPLE.upper()}\n2019\n{ABSTRACT}"),
    "retracted": about(f"RETRACTED ARTICLE\n{TITLE}\n{PEOPLE}\n2019\n{ABSTRACT}"),
    "repository cover": document(
        f"Meridian Repository\nTo cite this version:\n{PEOPLE}. {TITLE}. 2019. {OWN}",
        f"{TITLE}\n{PEOPLE}\n2019\n{ABSTRACT}",
        PROSE,
        PROSE,
    ),
    "long manuscript": about(f"{TITLE}\n{PEOPLE}\n2019\n{ABSTRACT}", 50),
    "a thesis behind it": about(
        f"{TITLE}\n{PEOPLE}\n2019\nThis article is based on the thesis submitted by A. Okonkwo.\n"
        f"{ABSTRACT}"
    ),
    "line breaks before its header": b"\r\n" * 20 + fine(),
    "headers of a proxy before its header": b"HTTP/1.1 200 OK\r\nServer: tides\r\n\r\n" + fine(),
    "a thousand bytes before its header": b" " * 1_000 + fine(),
}


async def outcomes(app, internet, tool, files):
    """Serve each file at the paper's own location; return what the tool says of it."""
    internet.breaks(EUROPE_PMC, status=404)
    found = {}
    for name, body in files.items():
        internet.mends(PLOS)
        internet.says(PLOS, body, content_type="application/pdf")
        if tool == FETCH:
            result = (await app.call(FETCH, {"ref": FINE, "force": True})).structured["pdf"]
            found[name] = result["file_check"] or result["status"]
        else:
            result = (await app.call(DOWNLOAD, {"identifier": FINE})).structured
            assert "too few" not in str(result.get("detail"))
            found[name] = result.get("file_check") or result["error"]
    return found


@pytest.mark.promise("file.is-the-paper-asked-for")
@pytest.mark.parametrize(
    ("tool", "refusal"), [(FETCH, "blocked"), (DOWNLOAD, "Paper not available from any source")]
)
async def test_no_document_about_the_paper_is_kept(application, internet, tmp_path, tool, refusal):
    found = await outcomes(await application(), internet, tool, ABOUT)

    assert {name: status for name, status in found.items() if status != refusal} == {}
    assert sorted(tmp_path.rglob("*.pdf")) == []


@pytest.mark.promise("file.is-the-paper-asked-for")
async def test_the_paper_is_kept_in_every_layout(application, internet):
    found = await outcomes(await application(), internet, FETCH, THE_PAPER)

    assert {name: status for name, status in found.items() if status != "confirmed"} == {}
