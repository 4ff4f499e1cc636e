"""ClinicalTrials.gov: its requests, and every recorded answer."""

import json

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.domain.records.trials import TrialQuery
from sourcewright.providers.clinicaltrials import read_study

pytestmark = pytest.mark.anyio

HOST = "clinicaltrials.gov"
QUERY = TrialQuery(text="x", limit=100)

# Read by eye in the recorded searches: all matches, whether a page follows, and of each study
# its number, phases, start, participants, first intervention and sponsor.
SEARCHES = {
    "search-keytruda-limit3-20260811.json": (
        2924,
        True,
        [
            (
                "NCT05431270",
                ("PHASE1", "PHASE2"),
                "2022-08-11",
                40,
                "Mavrostobart (PT199)",
                "Phanes Therapeutics",
            ),
            ("NCT03590054", ("PHASE1",), "2018-08-20", 35, "Abexinostat", "Rahul Aggarwal"),
            ("NCT04795661", ("PHASE2",), "2021-10-18", 240, "Pembrolizumab", "Centre Leon Berard"),
        ],
    ),
    "search-melanoma-recruiting-limit3-20260811.json": (
        480,
        True,
        [
            ("NCT06970236", ("NA",), "2025-02-01", 40, "Exercise", "University of Valencia"),
            (
                "NCT04114136",
                ("PHASE2",),
                "2020-09-14",
                72,
                "Nivolumab or Pembrolizumab (dependent upon approved indication)",
                "Dan Zandberg",
            ),
            (
                "NCT04318717",
                ("PHASE2",),
                "2020-05-29",
                20,
                "Pembrolizumab",
                "Washington University School of Medicine",
            ),
        ],
    ),
    "search-nsclc-egfr-l858r-20260811.json": (
        2,
        False,
        [
            (
                "NCT06382129",
                ("PHASE3",),
                "2024-05-17",
                698,
                "BL-B01D1",
                "Sichuan Baili Pharmaceutical Co., Ltd.",
            ),
            (
                "NCT06604689",
                (),
                "2024-09-30",
                800,
                "third-generation EGFR TKIs (Almonertinib/Furmonertinib/Osimertinib)",
                "Fudan University",
            ),
        ],
    ),
    "search-phelan-limit5-20260811.json": (
        21,
        True,
        [
            ("NCT02710084", ("PHASE2",), "2016-04-29", 18, "Oxytocin", "Alexander Kolevzon"),
            (
                "NCT05105685",
                ("PHASE1", "PHASE2"),
                "2020-06-14",
                6,
                "recombinant human growth hormone",
                "Affiliated Hospital of Jiangnan University",
            ),
            (
                "NCT01525901",
                ("PHASE2",),
                "2012-02",
                19,
                "Insulin-Like Growth Factor-1 (IGF-1)",
                "Icahn School of Medicine at Mount Sinai",
            ),
            ("NCT03493607", ("PHASE2",), "2018-05-30", 6, "AMO-01", "Alexander Kolevzon"),
            (
                "NCT07119606",
                ("NA",),
                "2025-09-01",
                650,
                "SHANK3 mutation",
                "Assistance Publique - Hôpitaux de Paris",
            ),
        ],
    ),
}


async def test_every_recorded_search_is_read_to_its_last_study(provide, internet, recorded):
    registry = await provide("clinicaltrials")
    read = {}

    for file in recorded("clinicaltrials"):
        if file.name.startswith("search-"):
            internet.mends()
            internet.says(HOST, file.read_bytes())
            page = await registry.search_trials(QUERY)
            rows = [
                (t.nct_id, t.phases, t.start_date, t.enrollment, t.interventions[0], t.sponsor)
                for t in page.trials
            ]
            read[file.name] = (page.total, page.next_token is not None, rows)

    assert read == SEARCHES


async def test_every_recorded_study_is_read(recorded):
    files = [file for file in recorded("clinicaltrials") if file.name.startswith("get-")]

    read = [read_study(json.loads(file.read_bytes())) for file in files]

    assert [(t.nct_id, t.status, t.study_type, t.completion_date) for t in read] == [
        ("NCT02576665", "TERMINATED", "INTERVENTIONAL", "2019-12-20"),
        ("NCT06382129", "ACTIVE_NOT_RECRUITING", "INTERVENTIONAL", "2026-12"),
        ("NCT06604689", "RECRUITING", "OBSERVATIONAL", "2025-10-01"),
    ]
    assert read[0].conditions[:2] == ("Colorectal Cancer", "Triple Negative Breast Cancer")
    assert read[0].interventions == ("Toca 511", "Toca FC")
    assert [trial.has_results for trial in read] == [None, None, None]


async def test_phases_are_one_expression_and_statuses_one_list(provide, internet):
    registry = await provide("clinicaltrials")

    await registry.search_trials(
        TrialQuery(
            condition="fog fever",
            statuses=("RECRUITING", "COMPLETED"),
            phases=("PHASE2", "PHASE3"),
            limit=7,
        )
    )

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/api/v2/studies"
    assert "filter.overallStatus=RECRUITING%7CCOMPLETED" in seen.query
    assert "filter.advanced=AREA%5BPhase%5D%28PHASE2+OR+PHASE3%29" in seen.query
    assert "pageSize=7" in seen.query


@pytest.mark.parametrize(
    "study",
    [
        {},
        {"protocolSection": None},
        {"protocolSection": {"identificationModule": {"briefTitle": "No number"}}},
        {"protocolSection": {"identificationModule": {"nctId": None, "briefTitle": "x"}}},
        {"protocolSection": {"identificationModule": {"nctId": "NCT1", "briefTitle": []}}},
        {
            "protocolSection": {"identificationModule": {"nctId": "NCT1", "briefTitle": "x"}},
            "hasResults": "no",
        },
    ],
)
async def test_a_study_of_another_shape_is_an_unreadable_answer(provide, internet, study):
    registry = await provide("clinicaltrials")
    internet.says(HOST, {"studies": [study], "totalCount": 1})

    with pytest.raises(BadAnswer, match="unexpected structure"):
        await registry.search_trials(QUERY)
