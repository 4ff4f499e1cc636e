"""The audit of a bibliography, against the simulated world."""

import pytest

from sourcewright.services.trust.audit_bibliography import read_bibliography

pytestmark = pytest.mark.anyio

CITED = """@article{a, title={Tidal mixing and the memory of estuaries},
  author={Adaeze Okonkwo and Åsa Lindqvist and 太郎 山田}, year={2019}}"""
INVENTED = "@article{b, title={Silent bells in an empty harbour}, author={Known, Nobody}}"


async def test_audited_entries_do_not_keep_the_records_of_other_works(application):
    auditor = (await application()).services.trust.auditor
    entries, _ = read_bibliography(f"{CITED}\n{INVENTED}", "bibtex")

    cited, invented = (one.case for one in (await auditor.audit(entries, source="file")).entries)

    assert {one.doi for one in cited.records} == {"10.5555/fine-paper"}
    assert cited.check.status == "verified"
    assert not invented.records
    assert invented.check.status == "unconfirmed"
