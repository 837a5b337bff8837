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
        "无。",
        "暂无相互矛盾的证据。",
        "証拠のある記述はない。",
        "該当なし。",
        "なし",
        "Nenhuma afirmação com evidência.",
        "Nenhuma.",
        "증거가 있는 합의는 기록되지 않았다.",
        "없음",
        "Keine Aussage mit Beleg erfasst.",
        "Es wurden keine widersprüchlichen Belege gefunden.",
        "Aucune affirmation étayée.",
        "Aucune preuve contradictoire n'a été trouvée.",
        "Ninguna afirmación con evidencia.",
        "No se encontró evidencia contradictoria.",
        "With a single source there is nothing to agree on.",
        "No evidence was found that contradicts the findings above.",
        "No contradicting evidence was found for session timeouts.",
        "No statement was recorded, because no page could be retrieved.",
        "No contradictions were found, and no debate was recorded.",
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
        "None captured with verified evidence: banks never expire sessions.",
        "None captured with verified evidence, banks never expire sessions.",
        "None captured with verified evidence and banks never expire sessions.",
        "None captured with verified evidence — sessions never expire.",
        "No statement with evidence was recorded that contradicts the plain fact that timeouts are useless.",
        "No evidence was found that anyone expires sessions.",
        "没有记录到与超时无用这一事实相矛盾的陈述。",
        "Keine Sitzung läuft ab.",
        "Nenhum banco expira sessões.",
        "Aucune session n'expire.",
        "証拠のないセッションは終了する。",
    ],
)
def test_claims_are_no_statements_of_absence(text: str):
    assert not states_absence(text)


def test_only_a_subtopic_may_point_to_the_key_findings():
    for text in ("See the key findings above.", "The key findings above carry the whole analysis."):
        assert defers_analysis(text)
        assert not states_absence(text)
