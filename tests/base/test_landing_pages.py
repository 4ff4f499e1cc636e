"""DOIs derived from publishers' URLs, URLs whose page must be read, and hints for the rest."""

import pytest

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import Doi, page_url_without_identifier, parse_reference

DERIVED = {
    "https://www.nature.com/articles/nature12373": "10.1038/nature12373",
    "https://www.nature.com/articles/nature12373.pdf": "10.1038/nature12373",
    "http://nature.com/articles/nature12373/": "10.1038/nature12373",
    "https://www.nature.com/articles/nature12373#Sec2": "10.1038/nature12373",
    "https://www.nature.com/articles/s41586-021-03380-y": "10.1038/s41586-021-03380-y",
    "https://www.nature.com/articles/s41586-021-03380-y?error=cookies": "10.1038/s41586-021-03380-y",
    "https://www.nature.com/articles/s41586-021-03380-y/figures/2": "10.1038/s41586-021-03380-y",
    "https://www.nature.com/articles/s41598-018-27044-6.pdf": "10.1038/s41598-018-27044-6",
    "https://www.nature.com/articles/s41599-020-0423-6": "10.1057/s41599-020-0423-6",
    "https://www.nature.com/articles/d41586-020-00502-w": "10.1038/d41586-020-00502-w",
    "https://www.nature.com/articles/ng.3834": "10.1038/ng.3834",
    "https://www.nature.com/articles/nnano.2014.279.pdf": "10.1038/nnano.2014.279",
    "https://www.nature.com/articles/srep16696": "10.1038/srep16696",
    "https://www.nature.com/articles/171737a0": "10.1038/171737a0",
    "https://elifesciences.org/articles/01567": "10.7554/elife.01567",
    "https://elifesciences.org/articles/01567v2": "10.7554/elife.01567",
    "https://cdn.elifesciences.org/articles/01567/elife-01567-v1.pdf": "10.7554/elife.01567",
    "https://www.nber.org/papers/w29971": "10.3386/w29971",
    "https://peerj.com/articles/4886/": "10.7717/peerj.4886",
    "https://peerj.com/articles/cs-55.pdf": "10.7717/peerj-cs.55",
    "https://www.preprints.org/manuscript/202202.0061/v4": "10.20944/preprints202202.0061.v4",
    "http://pubs.rsc.org/en/content/articlepdf/2015/CC/C5CC05468K": "10.1039/c5cc05468k",
    "https://pubs.rsc.org/en/content/articlelanding/2016/ob/c6ob01102k": "10.1039/c6ob01102k",
    "https://www.ssrn.com/abstract=3520189": "10.2139/ssrn.3520189",
    "https://papers.ssrn.com/sol3/papers.cfm?abstract_id=3520189": "10.2139/ssrn.3520189",
    "https://papers.ssrn.com/sol3/papers.cfm?x=1&AbstractID=3520189&y=2": "10.2139/ssrn.3520189",
    "https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(20)30183-5/fulltext": "10.1016/s0140-6736(20)30183-5",
}

ENDED = {
    "https://pubs.acs.org/doi/suppl/10.1021/ja1234/suppl_file/ja1234_si_001.pdf": "10.1021/ja1234",
    "https://www.science.org/doi/10.1126/science.abc1234": "10.1126/science.abc1234",
    "https://dl.acm.org/doi/pdf/10.1145/3290605.3300233": "10.1145/3290605.3300233",
    "https://www.pnas.org/doi/full/10.1073/pnas.2025581118": "10.1073/pnas.2025581118",
    "https://royalsocietypublishing.org/doi/10.1098/rspb.2019.1": "10.1098/rspb.2019.1",
    "https://www.jstor.org/stable/10.1086/500480": "10.1086/500480",
    "https://www.jstor.org/stable/pdf/10.1086/500480.pdf": "10.1086/500480",
    "https://academic.oup.com/jamiaopen/advance-article-pdf/doi/10.1093/jamiaopen/ooae021/56732770/ooae021.pdf": "10.1093/jamiaopen/ooae021",
    "https://pubs.aip.org/aip/jap/article-pdf/doi/10.1063/1.4938384/15174088/235306_1_online.pdf": "10.1063/1.4938384",
    "http://harvest.aps.org/v2/journals/articles/10.1103/PhysRevA.106.022212/fulltext": "10.1103/physreva.106.022212",
    "http://onlinelibrary.wiley.com/wol1/doi/10.1111/j.1365-2524.1993.tb00219.x/fullpdf": "10.1111/j.1365-2524.1993.tb00219.x",
    "http://www.aanda.org/10.1051/0004-6361:200809584/pdf": "10.1051/0004-6361:200809584",
}

WITHOUT_IDENTIFIER = [
    "https://www.nature.com/articles/sdata201618",
    "https://www.nature.com/articles/hdy201326.pdf",
    "https://www.nature.com/articles/4813738",
    "https://www.nature.com/nature/volumes/500",
    "https://elifesciences.org/articles/55167v1/peer-reviews",
    "https://www.preprints.org/manuscript/202202.0061",
    "https://www.sciencedirect.com/science/article/pii/S2210271X18305656",
    "https://www.cell.com/cell/fulltext/S0092-8674(20)30001-1",
    "https://www.thelancet.com/journals/eclinm/article/PIIS2589-5370(20)30001-1/fulltext",
    "https://ieeexplore.ieee.org/document/8578843",
    "https://www.mdpi.com/2072-4292/10/1234",
    "https://aclanthology.org/P19-1001/",
    "https://articles.nature.com.example/articles/nature12373",
    "https://doi.org/10/b4mz6g",
]


@pytest.mark.parametrize(("address", "doi"), [*DERIVED.items(), *ENDED.items()])
def test_a_publishers_address_leads_to_the_doi(address, doi):
    assert parse_reference(address) == Doi(doi)
    assert page_url_without_identifier(address) is None


@pytest.mark.parametrize("address", WITHOUT_IDENTIFIER)
def test_an_address_from_which_no_doi_follows_for_certain_is_left_to_its_page(address):
    with pytest.raises(InvalidInput, match="contains no identifier"):
        parse_reference(address)

    assert page_url_without_identifier(address) == address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("url: https://a.example/b?c=d#e", "https://a.example/b?c=d#e"),
        ("<https://a.example/b>", "https://a.example/b"),
        ("https%3A%2F%2Fa.example%2Fb", "https://a.example/b"),
        ("www.cell.com/b", "https://www.cell.com/b"),
        ("HTTP://A.example/b", "HTTP://A.example/b"),
    ],
)
def test_an_address_is_taken_out_of_what_surrounds_it(text, address):
    assert page_url_without_identifier(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "a.example/b",
        "math.foo/9901001",
        "ftp://a.example/b",
        "https:/a",
        "https://",
        "https://[",
        "https://a.example/b c",
        "https://a.example/%ff",
        "https://a.example/\x00",
        "https://a.example/" + "b" * 2048,
        "https://arxiv.org/abs/math/9913001",
        "javascript:https://a.example/",
        "file:///etc/passwd",
    ],
)
def test_what_is_no_web_address_or_carries_a_wrong_identifier_is_not_visited(text):
    assert page_url_without_identifier(text) is None


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("nature12373", "did you mean '10.1038/nature12373'"),
        ("s41586-021-03380-y", "did you mean '10.1038/s41586-021-03380-y'"),
        ("(see 10.1234/abc)", "did you mean '10.1234/abc'"),
        ("10.1038:nature12373", "did you mean '10.1038/nature12373'"),
        ("Attention is all you need", "if it is a title"),
        ("10.1234", "as in 10.1234/abc"),
    ],
)
def test_a_near_miss_is_answered_with_what_may_have_been_meant(text, advice):
    with pytest.raises(InvalidInput) as caught:
        parse_reference(text)

    assert advice in str(caught.value)


@pytest.mark.parametrize("text", ["see 10.1234/...", "hello", "sdata201618", "10.1234/"])
def test_no_advice_is_given_where_nothing_comes_to_mind(text):
    with pytest.raises(InvalidInput) as caught:
        parse_reference(text)

    assert "did you mean" not in str(caught.value)
