"""The simulated NCBI, and the simulated publishers that ask for a key."""

import pytest

ESUMMARY = "/entrez/eutils/esummary.fcgi"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("db=pubmed&id=99999999&retmode=json", "cannot get document summary"),
        ("db=pubmed&id=abc&retmode=json", "Invalid uid abc"),
        ("db=pubmed&id=&retmode=json", "Empty id list"),
        ("db=books&id=1&retmode=json", "Invalid db name"),
        ("db=pubmed&id=1", "<eSummaryResult/>"),
    ],
)
def test_ncbi_answers_with_a_200_whatever_is_wrong(visitor, query, message):
    answer = visitor.ask("eutils.ncbi.nlm.nih.gov", f"{ESUMMARY}?{query}")

    assert answer.status == 200
    assert message in answer.text


def test_ncbi_has_one_utility_here(visitor):
    assert visitor.ask("eutils.ncbi.nlm.nih.gov", "/entrez/eutils/efetch.fcgi").status == 404


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("api.elsevier.com", "/content/article/doi/10.1016%2Fj.invented.2018.01.001"),
        ("api.springernature.com", "/meta/v2/json?q=doi:10.1007/s99999-018-0001-0"),
        ("harvest.aps.org", "/v2/journals/articles/10.1103/inventedphys.12.340"),
    ],
)
def test_a_publisher_turns_away_who_has_no_key(visitor, host, path):
    assert visitor.ask(host, path).status == 401


def test_the_society_sends_data_to_those_who_do_not_ask_for_a_pdf(visitor):
    path = "/v2/journals/articles/10.1103/inventedphys.12.340"

    bearer = {"Authorization": "Bearer a-fine-key"}
    answer = visitor.ask("harvest.aps.org", path, headers=bearer)

    assert answer.json["data"]["id"] == "10.1103/inventedphys.12.340"


def test_springer_nature_repeats_the_key(visitor):
    path = "/meta/v2/json?q=doi:10.1007/nobody&api_key=a-fine-key"

    answer = visitor.ask("api.springernature.com", path)

    assert answer.json["apiKey"] == "a-fine-key"
    assert answer.json["result"][0]["total"] == "0"


def test_no_publisher_knows_another_collection(visitor):
    path = "/openaccess/json?q=doi:10.1007/nobody&api_key=a-fine-key"

    assert visitor.ask("api.springernature.com", path).status == 404
