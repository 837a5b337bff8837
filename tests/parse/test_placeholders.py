from __future__ import annotations

import pytest

from evidence_lint.parse.placeholders import defers_analysis, states_absence


@pytest.mark.parametrize(
    "text",
    [
        "None captured with verified evidence.",
        "No finding had verified supporting evidence.",
        "Nothing could be supported by the records at hand.",
        "No statement with evidence was recorded.",
        "No contradictory repository evidence was collected.",
        "No analysis section had verified evidence.",
        "Quick mode: no competing sources were retrieved, so agreement and disagreement were not assessed.",
        "Not assessed: no competing sources were retrieved.",
        "none collected",
        "N/A",
        "None.",
        "No debate documented",
        "No source could be listed.",
        "No verified findings. See section 9.",
        "未收集到相反的证据。",
        "暂无",
        "没有可核实的证据。",
    ],
)
def test_statements_of_absence(text: str):
    assert states_absence(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No CVSS field exists in the schema.",
        "No evidence of tampering was found in the log.",
        "No finding had verified evidence, but the API keeps data for ever.",
        "No finding had verified evidence. The API keeps data for ever.",
        "No source in 2024 was retrieved.",
        "No one recorded it at https://a.example/",
        "Nothing happens when the token expires.",
        "None of the clients verify the certificate.",
        "The service stores no records.",
        "Sources agree.",
        "没有人使用这个接口。",
    ],
)
def test_claims_are_no_statements_of_absence(text: str):
    assert not states_absence(text)


def test_only_a_subtopic_may_point_to_the_key_findings():
    for text in ("See the key findings above.", "The key findings above carry the whole analysis."):
        assert defers_analysis(text)
        assert not states_absence(text)
