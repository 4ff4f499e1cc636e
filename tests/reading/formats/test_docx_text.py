"""Text in Word documents: emphasis, comments, code and equations."""

import pytest

pytestmark = pytest.mark.anyio
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
STYLES = f"""<w:styles {W}><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>"""


def text(words: str) -> str:
    return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"


def style(name: str) -> str:
    return f'<w:pStyle w:val="{name}"/>'


@pytest.fixture
def word(pack):
    def make(body: str, **parts: str) -> bytes:
        main = f"<w:document {W}><w:body>{body}</w:body></w:document>"
        return pack({"word/document.xml": main, **{f"word/{k}.xml": v for k, v in parts.items()}})

    return make


def math(words: str) -> str:
    return f"<m:r><m:t>{words}</m:t></m:r>"


@pytest.mark.parametrize(
    ("formula", "tex"),
    [
        (math("\u03b1≤\u03b2\u00d7\u03b3"), r"\alpha\leq\beta\times\gamma"),
        (math("\U0001d465\U0001d6fc"), r"x\alpha"),
        (math("50% {a_b}"), r"50\% \{a\_b\}"),
        (math("sin\u2061") + math("θ"), r"\sin\theta"),
        (
            f"<m:func><m:fName>{math('cos')}</m:fName><m:e>{math('x')}</m:e></m:func>",
            r"\cos x",
        ),
        (
            f"<m:limLow><m:e>{math('lim')}</m:e><m:lim>{math('n→∞')}</m:lim></m:limLow>",
            r"\lim_{n\to\infty}",
        ),
        (
            f"<m:rad><m:deg>{math('3')}</m:deg><m:e>{math('8')}</m:e></m:rad>",
            r"\sqrt[3]{8}",
        ),
        (
            f"<m:acc><m:accPr><m:chr m:val='\u20d7'/></m:accPr><m:e>{math('v')}</m:e></m:acc>",
            r"\vec{v}",
        ),
        (
            f"<m:m><m:mr><m:e>{math('a')}</m:e><m:e>{math('b')}</m:e></m:mr><m:mr><m:e>{math('c')}</m:e><m:e>{math('d')}</m:e></m:mr></m:m>",
            r"\begin{matrix}a & b \\ c & d\end{matrix}",
        ),
        (
            f"<m:d><m:dPr><m:begChr m:val='{{'/><m:endChr m:val=''/></m:dPr><m:e><m:eqArr><m:e>{math('x=1')}</m:e><m:e>{math('y=2')}</m:e></m:eqArr></m:e></m:d>",
            r"\left\{\begin{aligned}x=1 \\ y=2\end{aligned}\right.",
        ),
        ("<m:r><m:rPr><m:nor/></m:rPr><m:t>if x</m:t></m:r>", r"\text{if x}"),
        (f"<m:del>{math('gone')}</m:del>{math('x')}", "x"),
    ],
)
async def test_equations_are_tex(read, word, formula, tex):
    inline = f'<m:oMath xmlns:m="m">{formula}</m:oMath>'
    shown = f'<m:oMathPara xmlns:m="m">{inline}</m:oMathPara>'

    reading = await read(word(f"<w:p>{inline}</w:p><w:p>{shown}</w:p>"))

    assert reading.content == f"${tex}$\n\n$${tex}$$"


def run(words: str, properties: str) -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'


async def test_bold_and_italic_text_is_emphasised(read, word):
    bold = (
        run("very ", "<w:b/>") + run("high ", "<w:b/>") + run("tides", "<w:i/>") + run(" rose", "")
    )
    both = run("both", "<w:b/><w:i w:val='1'/>") + run(" none", "<w:b w:val='0'/>")
    named = run("strong", "<w:rStyle w:val='Strong'/>") + run(" ", "<w:b/>")
    heading = f"<w:p><w:pPr>{style('berschrift2')}</w:pPr>{run('Ebb', '<w:b/>')}</w:p>"
    body = f"{heading}<w:p>{bold}</w:p><w:p>{both}</w:p><w:p>{named}</w:p>"

    reading = await read(word(body, styles=STYLES))

    assert reading.content == (
        "## Ebb\n\n**very high** *tides* rose\n\n***both*** none\n\n**strong**"
    )


async def test_comments_are_notes_with_their_authors(read, word):
    body = '<w:p><w:r><w:t>It rose</w:t></w:r><w:r><w:commentReference w:id="4"/></w:r></w:p>'
    comments = f'<w:comments {W}><w:comment w:id="4" w:author="Ada">{text("How far?")}</w:comment></w:comments>'

    reading = await read(word(body, comments=comments))

    assert reading.content == "It rose[^c1]\n\n[^c1]: Comment by Ada: How far?"


@pytest.mark.parametrize("by", ["style", "font"])
async def test_code_keeps_its_lines_and_its_indentation(read, word, by):
    sheet = (
        f'<w:styles {W}><w:style w:styleId="X"><w:name w:val="Source Code"/></w:style></w:styles>'
    )
    font = '<w:rFonts w:ascii="Courier New"/>'

    def line(words: str) -> str:
        properties = style("X") if by == "style" else ""
        return f"<w:p><w:pPr>{properties}</w:pPr>{run(words, font if by == 'font' else '')}</w:p>"

    body = text("Run:") + line("for x in *y*:") + line("    if x:") + line("```") + text("Done.")

    reading = await read(word(body, styles=sheet))

    assert reading.content == "Run:\n\n````\nfor x in *y*:\n    if x:\n```\n````\n\nDone."


@pytest.mark.parametrize(
    ("runs", "written"),
    [
        (run("use ", "") + run("ls -l", "<w:rStyle w:val='VerbatimChar'/>"), "use `ls -l`"),
        (run("use ", "") + run("a`b", "<w:rFonts w:ascii='Consolas'/>"), "use `` a`b ``"),
        (run("old", "<w:strike/>") + run(" new", ""), "~~old~~ new"),
        (
            run("old", "<w:b/><w:dstrike/>") + run(" new", "<w:strike w:val='0'/>"),
            "**~~old~~** new",
        ),
        (run("x", "") + run("2", "<w:vertAlign w:val='superscript'/>"), "x²"),
        (run("n", "") + run("th", "<w:vertAlign w:val='superscript'/>"), "nth"),
        (run("2", "") + run("k", "<w:vertAlign w:val='superscript'/>") + run(" x", ""), "2^k x"),
        (
            run("x", "<w:i/>")
            + run("n", "<w:i/><w:vertAlign w:val='subscript'/>")
            + run("+1", "<w:vertAlign w:val='subscript'/>")
            + run(" k", ""),
            "*x\\_(n+1)* k",
        ),
        (run("H", "") + run("2", "<w:vertAlign w:val='subscript'/>") + run("O", ""), "H2O"),
        (run("Note:", "<w:b/>") + run("oak", ""), "**Note**:oak"),
        (run("oak", "<w:b/>") + run(", and ash", "<w:i/>"), "**oak**, *and ash*"),
        (run("oak", "") + run("(s) ", "<w:i/>") + run("ash", ""), "oak(*s)* ash"),
    ],
)
async def test_runs_are_marked_so_that_commonmark_reads_them(read, word, runs, written):
    reading = await read(word(f"<w:p>{runs}</w:p>"))

    assert reading.content == written


async def test_quotations_and_captions_have_the_form_of_pages(read, word):
    names = {"Q": "Quote", "C": "caption"}
    sheet = "".join(
        f'<w:style w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
        for key, name in names.items()
    )
    image = '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="wp" descr="A pier"/></w:drawing></w:r></w:p>'

    def styled(name: str, words: str) -> str:
        return f"<w:p><w:pPr>{style(name)}</w:pPr>{run(words, '')}</w:p>"

    body = (
        styled("Q", "It rose.")
        + styled("Q", "It fell.")
        + image
        + styled("C", "Figure 1: the pier")
        + styled("C", "Table 1: levels")
    )

    reading = await read(word(body, styles=f"<w:styles {W}>{sheet}</w:styles>"))

    assert reading.content == (
        "> It rose.\n>\n> It fell.\n\n![A pier]()\n*Figure 1: the pier*\n\nTable 1: levels"
    )


async def test_an_item_without_a_marker_continues_the_one_before(read, word):
    levels = "".join(
        f'<w:abstractNum w:abstractNumId="{key}"><w:lvl w:ilvl="0"><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{shown}"/></w:lvl></w:abstractNum>'
        for key, form, shown in (("1", "decimal", "%1."), ("2", "bullet", " "))
    )
    lists = "".join(
        f'<w:num w:numId="{key}"><w:abstractNumId w:val="{key}"/></w:num>' for key in "12"
    )

    def item(number: str, words: str) -> str:
        listed = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number}"/></w:numPr>'
        return f"<w:p><w:pPr>{listed}</w:pPr>{run(words, '')}</w:p>"

    body = item("1", "one") + item("2", "more of one") + item("1", "two")

    reading = await read(word(body, numbering=f"<w:numbering {W}>{levels}{lists}</w:numbering>"))

    assert reading.content == "1. one\n\n   more of one\n2. two"
