"""The words by which statements of absence are recognised, in the languages in which reports are written."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CLOSED = _words(
    """
    a about above across against agree agreed agrees agreement all also among an analysis and any anything are
    as assess assessed at available be because been below between both budget by can cannot captured checked
    citation citations cited claim claims collected collecting comparable compare competing completed conclusion
    conclusions conflict conflicting conflicts confirmed consensus consulted content contradict contradicting
    contradictory contradicts contradiction contradictions counter counterevidence could cover covered debate
    debated debates deep did disagree disagreement disagreements disagrees dispute disputed disputes documented
    documents does each either entry evidence excerpt excerpts exhausted exist existed exists extracted
    extraction failed fetch fetched fetching finding findings for found from further gathered given had hand has
    have here in independent indexed inspected is it its judged judgement key limitations listed live material
    matching mode more network neither no none nor not nothing of offered on one only open opposing or other
    others page pages passage performed position positions present published question questions quick raised
    read record recorded records remains report reported repository required research result results retrieval
    retrieve retrieved returned review reviewed run saved scope search searched searches second section sections
    see seen separate session set since single so source sources standard stated statement statements still sub
    subtopic subtopics such support supported supporting supports surfaced tested than that the their them there
    therefore these they this those to topic topics two under unit units unverified usable used verified verify
    view viewpoint viewpoints was web were what when where which who with within would yet
    """
)
"""Words about evidence and the report. Beside an absence only they may be said with a verb of their own."""

NEGATIONS = _words(
    """
    aucun aucune kein keine keinen keiner keines nada nenhum nenhuma nichts ninguna ninguno ningún no não néant
    ohne rien sans sem sin
    """
)
"""Words that negate, in Portuguese, German, French and Spanish."""

EMPTY = _words(
    """
    aucun aucune keine keiner keines nada nenhum nenhuma nichts ninguna ninguno néant rien
    """
)
"""Those of them that say everything by themselves."""

MATTERS = _words(
    """
    achado achados affirmation affirmations afirmaciones afirmación afirmação afirmações aussage aussagen befund
    befunde beleg belege belegen consenso consensus constat constatação constatações constats contradicciones
    contradicción contradiction contradictions contradição contradições debate debatte declaraciones declaración
    declaração declarações divergence divergences divergencia divergencias divergência divergências débat
    déclaration déclarations ergebnis ergebnisse evidencia evidencias evidenz evidência evidências feststellung
    feststellungen fonte fontes fuente fuentes hallazgo hallazgos konsens nachweis nachweise preuve preuves
    prova provas prueba pruebas quelle quellen registro registros resultado resultados résultat résultats source
    sources widerspruch widersprüche énoncé énoncés
    """
)
"""What may be absent, in these languages."""

AROUND = _words(
    """
    a as avec belegt belegte belegten com con consignée consignées contradictoire contradictoires contradictoria
    contradictorias contraditória contraditórias contraire contraires contraria contrarias contrária contrárias
    d da das de dem den der des die do documentada documentado documenté documentée documentó dokumentiert dos
    du e el encontrada encontradas encontrado encontrados encontraron encontró enregistrée enregistrées erfasst
    erhoben es est et festgehalten foi foram gefunden gegenteilige gegenteiligen geprüft geprüfte geprüftem
    geprüften gibt hay houve hubo há il l la las le les liegen liegt los mit n o oder ont os ou que recensée
    registada registadas registrada registradas registrado registrados registraron registró se trouvé trouvée
    trouvées trouvés un una und une verificada verificadas verificado verificados verifiziert verifizierte
    verifiziertem verifizierten verifizierter vor vérifié vérifiée vérifiées vérifiés widersprechende
    widersprechenden widersprüchliche widersprüchlichen wurde wurden y étayé étayée étayées étayés été
    """
)
"""What may stand around it."""

HAN_ABSENT = re.compile(
    r"(?:尚|暂)?(?:未|没有|沒有|无|無)(?:能)?(?:\w{0,8})(?:证据|證據|来源|來源|发现|發現|陈述|记录|記錄|收集|捕获|评估|検索|检索|获得|争议"
    r"|分歧|支持|核实|验证)[^：:，,—]{0,24}"
)
"""A Chinese statement of absence."""

HAN_ASSERTED = re.compile(r"事实|事實|永不|永远|必须|必然|显然|都是|证明")
"""What makes one a claim."""

JAPANESE = re.compile(
    r"該当(?:なし|無し|するものはない)|(?:なし|無し|ない|ありません)"
    r"|[^。、：:]{0,20}(?:証拠|根拠|記述|合意|対立|矛盾|異論|出典|見解|論争)[^。、：:]{0,12}?(?:は|が|も)?"
    r"(?:ない|なし|なかった|ありません(?:でした)?"
    r"|(?:見つから|確認でき|得られ|記録され(?:てい)?|確認され(?:てい)?|収集され(?:てい)?)(?:ない|なかった|ず|ませんでした)"
    r"|見つかりませんでした)"
)
"""A Japanese one."""

KOREAN = re.compile(
    r"(?:해당\s*)?(?:없음|없습니다|없다)"
    r"|[^.,:]{0,20}(?:증거|합의|모순|이견|진술|논쟁|반증|근거|출처)[^.,:]{0,14}?\s*(?:없(?:다|음|었다|습니다|었습니다)"
    r"|(?:기록|확인|발견|수집|포착)되지\s*않(?:았다|음|았음|았습니다)|찾지\s*못(?:했다|함|했습니다))"
)
"""A Korean one."""

_WORD = re.compile(r"[^\W\d_]+")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return [word.lower() for word in _WORD.findall(text)]


def absent_in_other_languages(sentence: str) -> bool:
    """Absence in other languages than English; for the European ones every word must be known."""
    if HAN_ABSENT.fullmatch(sentence) and not HAN_ASSERTED.search(sentence):
        return True
    if JAPANESE.fullmatch(sentence) or KOREAN.fullmatch(sentence):
        return True
    words = words_of(sentence)
    if len(words) == 1:
        return words[0] in EMPTY
    known = all(word in NEGATIONS or word in MATTERS or word in AROUND for word in words)
    return known and any(word in NEGATIONS for word in words) and any(word in MATTERS for word in words)
