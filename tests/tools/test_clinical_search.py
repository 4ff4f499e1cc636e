"""`clinical_search`: registered studies, through the whole pipeline."""

import pytest

pytestmark = pytest.mark.anyio

HOST = "clinicaltrials.gov"


async def test_a_study_has_everything_that_is_registered(call):
    answer = await call("clinical_search", {"condition": "tidal asthma", "status": "COMPLETED"})

    assert answer["trials"] == [
        {
            "nctId": "NCT90000001",
            "title": "Inhaled Kelp Extract in Adults With Tidal Asthma",
            "status": "COMPLETED",
            "phases": ["PHASE2", "PHASE3"],
            "studyType": "INTERVENTIONAL",
            "conditions": ["Tidal Asthma", "Asthma"],
            "interventions": ["Kelp extract", "Placebo"],
            "sponsor": "Meridian University Hospital",
            "startDate": "2016-04-29",
            "startDateType": "ACTUAL",
            "completionDate": "2020-07",
            "completionDateType": "ACTUAL",
            "enrollment": 312,
            "enrollmentType": "ACTUAL",
            "hasResults": True,
            "summary": "A randomised study of inhaled kelp extract & placebo.",
            "url": "https://clinicaltrials.gov/study/NCT90000001",
            "source": "clinicaltrials",
        }
    ]
    assert (answer["resultCount"], answer["totalResults"]) == (1, 1)
    assert (answer["query"], answer["provider"]) == ("", "clinicaltrials")
    assert answer["trust"] == "untrusted-external-content"
    assert "hints" not in answer


async def test_what_is_only_planned_is_said_to_be_estimated(call):
    answer = await call("clinical_search", {"condition": "tidal asthma", "status": "RECRUITING"})

    [trial] = answer["trials"]
    assert trial["startDateType"] == "ACTUAL"
    assert (trial["completionDateType"], trial["enrollmentType"]) == ("ESTIMATED", "ESTIMATED")


async def test_what_is_not_registered_is_left_out(call):
    answer = await call("clinical_search", {"sponsor": "Brine Pharmaceuticals"})

    [trial] = answer["trials"]
    assert not trial.keys() & {"startDate", "completionDate", "enrollment", "summary"}
    assert (trial["phases"], trial["hasResults"]) == (["EARLY_PHASE1"], False)


@pytest.mark.parametrize(
    ("narrowed", "numbers"),
    [
        ({"phase": "3"}, {"NCT90000001", "NCT90000002"}),
        ({"phase": "Phase II/III"}, {"NCT90000001", "NCT90000002"}),
        ({"phase": "PHASE2", "intervention": "kelp"}, {"NCT90000001"}),
        ({"status": "recruiting"}, {"NCT90000002"}),
        ({"status": "Recruiting, completed"}, {"NCT90000001", "NCT90000002"}),
        ({"sponsor": "harbour"}, {"NCT90000002"}),
    ],
)
async def test_every_condition_must_hold(call, narrowed, numbers):
    answer = await call("clinical_search", {"query": "tidal asthma", **narrowed})

    assert {trial["nctId"] for trial in answer["trials"]} == numbers


async def test_pages_follow_each_other_without_a_gap(application):
    app = await application()
    arguments = {"condition": "barnacle rash", "num_results": 100}

    first = (await app.call("clinical_search", arguments)).structured
    second = (
        await app.call("clinical_search", arguments | {"page_token": first["nextPageToken"]})
    ).structured

    numbers = [trial["nctId"] for page in (first, second) for trial in page["trials"]]
    assert (first["resultCount"], second["resultCount"], first["totalResults"]) == (100, 30, 130)
    assert len(set(numbers)) == 130
    assert "nextPageToken" not in second
    assert "totalResults" not in second


async def test_a_bad_request_shows_the_registrys_own_words(application):
    result = await (await application()).call("clinical_search", {"query": 'an odd " quote'})

    error = result.structured["error"]
    assert result.is_error
    assert (error["kind"], error["retryable"]) == ("upstream_unavailable", False)
    assert error["provider"] == "clinicaltrials"
    assert '`query.term` has incorrect syntax: an odd " quote' in error["detail"]


async def test_a_status_is_taken_as_the_registrys_pages_write_it(call, internet):
    answer = await call(
        "clinical_search",
        {"query": "asthma", "status": "Active, not recruiting, Not yet recruiting"},
    )

    assert "error" not in answer
    assert "ACTIVE_NOT_RECRUITING%7CNOT_YET_RECRUITING" in internet.seen[-1].query


async def test_a_status_that_nobody_has_is_rejected_in_the_registrys_words(call):
    answer = await call("clinical_search", {"query": "asthma", "status": "sleepy"})

    assert "incorrect value: SLEEPY" in answer["error"]["detail"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "at least one of query, condition, intervention and sponsor"),
        ({"status": "RECRUITING"}, "at least one of"),
        ({"query": "asthma", "phase": "5"}, "'5' is not a phase; use one of EARLY_PHASE1"),
    ],
)
async def test_senseless_arguments_ask_nobody(call, internet, arguments, words):
    answer = await call("clinical_search", arguments)

    assert answer["error"]["kind"] == "validation"
    assert words in answer["error"]["detail"]
    assert internet.seen == []


async def test_nothing_found_has_hints_and_is_not_kept(application, internet):
    app = await application()
    arguments = {"condition": "fog fever", "status": "RECRUITING", "sponsor": "nobody"}

    for _ in range(2):
        answer = (await app.call("clinical_search", arguments)).structured

    assert (answer["trials"], answer["resultCount"]) == ([], 0)
    hints = answer["hints"]
    assert hints["reason"] == "filters_too_restrictive"
    assert hints["filtersApplied"]["status"] == "RECRUITING"
    assert {one["parameter"] for one in hints["suggestedActions"] if "parameter" in one} <= {
        *("condition", "sponsor", "status")
    }
    assert len(internet.requests_to(HOST)) == 2


async def test_an_answer_is_kept_for_six_hours(application, internet):
    app = await application()
    arguments = {"condition": "tidal asthma"}

    fresh = await app.call("clinical_search", arguments)
    again = await app.call("clinical_search", arguments)

    assert again.structured == fresh.structured
    assert (fresh.meta["cached"], again.meta["cached"]) == (False, True)
    assert again.meta["maxAgeSeconds"] == 6 * 3600
    assert len(internet.requests_to(HOST)) == 1


async def test_a_registry_that_fails_is_an_error_and_never_no_trials(call, internet):
    internet.breaks(HOST, status=503)

    answer = await call("clinical_search", {"query": "asthma"})

    assert (answer["error"]["kind"], answer["error"]["provider"]) == (
        "upstream_unavailable",
        "clinicaltrials",
    )


async def test_only_the_given_provider_is_asked_and_an_unknown_one_refused(call, internet):
    answer = await call("clinical_search", {"query": "asthma", "provider": "edgar"})

    assert answer["error"]["kind"] == "config"
    assert answer["error"]["detail"] == "unknown provider 'edgar'; supported: clinicaltrials"
    assert internet.seen == []


async def test_a_number_out_of_range_is_adjusted_and_repeated(call):
    answer = await call("clinical_search", {"condition": "barnacle rash", "num_results": 1000})

    assert (answer["resultCount"], answer["requestedNumResults"]) == (100, 1000)
    assert answer["nextPageToken"]


async def test_the_studies_are_sources_of_the_session(application):
    app = await application()
    step = {
        "searchStep": "Which trials are there?",
        "stepNumber": 1,
        "nextStepNeeded": True,
    }
    started = (await app.call("sequential_search", step)).structured
    assert "sessionId" in started, started

    await app.call(
        "clinical_search", {"condition": "tidal asthma", "sessionId": started["sessionId"]}
    )
    session = await app.call("get_research_session", {"sessionId": started["sessionId"]})

    assert "https://clinicaltrials.gov/study/NCT90000001" in session.text


@pytest.mark.parametrize("token", ["garbage", "true", "bm9wZQ==", "-3"])
async def test_a_page_that_the_registry_does_not_know_is_refused_in_its_words(call, token):
    answer = await call("clinical_search", {"query": "asthma", "page_token": token})

    assert "`pageToken` parameter has incorrect value" in str(answer["error"])


async def test_a_401_of_a_registry_without_keys_names_no_key(application, internet):
    internet.breaks(HOST, status=401)

    result = await (await application()).call("clinical_search", {"condition": "tidal asthma"})

    error = result.structured["error"]
    assert (error["kind"], error["suggestedAction"]) == ("auth_required", "inform_user")
    assert "key" not in result.text.lower()
