"""Words that take a pass away: a refusal, a condition or an open problem in a reviewer's own prose.

They never give a verdict. A refusal is a denial; the rest makes a pass unclear, which costs one question more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NOT = (
    r"(?:can(?:not|['’]t| not)|could(?: not|n['’]t)|do(?: not|n['’]t)|will not|won['’]t|would(?: not|n['’]t)"
    r"|should(?: not|n['’]t)|must not|shall not|unable to|refuse to|not (?:ready|able|going) to|hesitate to)"
)
_GRANT = (
    r"(?:approve|sign(?:ing)?[ -]off|(?:merge|ship|call|give) (?:this|it)|accept (?:this|it|that|the (?:change|patch|pr))|vouch"
    r"|be (?:approved|merged|shipped|landed|accepted|delivered)|recommend (?:merging|approv\w+|shipping)"
    r"|let (?:this|it) (?:through|pass|in))"
)
_READY = r"ready (?:to|for) (?:be )?(?:merg|ship|land|approv|deliver|production|release)\w*"
_WHEN = (
    r"(?:once|unless|until|provided|providing|assuming|pending|conditional(?:ly)?|contingent|subject to|as soon as"
    r"|on (?:the )?condition|only (?:if|when|after)|(?:as|so) long as|given that|with the caveat|with reservations?|on the understanding|on the assumption|in the hope|trusting that)"
)
_APPROVAL = (
    r"(?:approv\w*|verdict|lgtm|sign(?:ed|ing)?[ -]off|good to (?:go|merge)|mergeable|grade|green light)"
)
_FIXED = (
    r"(?:fix(?:ed)?|change[ds]?|address(?:ed)?|resolve[ds]?|removed?|revert(?:ed)?|correct(?:ed)?|repair(?:ed)?"
    r"|rewritten|escaped|validated|handled|added|covered|restored|closed|done)"
)
_IN = r"[^.\n]{0,120}"
_ITS = r"\b(?:following|next|last|below|above|verdict|line|grade|object|json|answer|result|submission|call)\b"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Sentences that can only mean no.
_REFUSALS = _any(
    rf"\b{_NOT}\W+(?:\w+\W+){{0,4}}?{_GRANT}\b",
    rf"\bnot (?:yet )?(?:been )?(?:approved|an approval|mergeable|acceptable|good enough|a pass|{_READY})\b",
    r"\b(?:do not|don['’]t|never) (?:merge|ship|land|approve|release|deploy)\b(?! (?:if|when|unless))",
    r"^\W*(?:status|result|compliance|quality|decision|outcome)\W{0,6}:\W{0,6}(?:fail\w*|reject\w*|denied|blocked|incomplete|red)\b",
    r"\bisn['’]t (?:approved|ready)\b|\bdisapprove|\bunapproved\b|\bno approval\b",
    r"\bI(?:['’]m| am)? (?:therefore |hereby |must |have to )?(?:reject|deny|decline|veto|withhold|withdraw|retract)",
    r"\bI(?:['’]m| am)? (?:therefore |hereby |must |have to )?request(?:ing)? changes\b",
    r"\b(?:this|it|change|patch) (?:is|gets|was) (?:hereby )?(?:rejected|denied|refused|declined)\b",
    r"\bapproval (?:is )?(?:withheld|denied|withdrawn|refused|revoked)\b",
    r"\bshould (?:fail|be (?:rejected|reverted|blocked))\b|\bwhat could (?:possibly )?go wrong\b",
    r"\b(?:I|to|must|would) grade (?:this|it)\b[^.\n]{0,20}\b(?:fail|warn)\b",
    r"\btreat (?:this|it|the (?:change|patch|review)) as (?:blocked|rejected|failed|denied)\b",
    r"\bdoes(?: not|n['’]t) (?:do|meet|satisfy|fulfil|solve|implement) (?:what|the task|the spec|the requirements?)\b",
    r"\bverdict\b[^.\n:]{0,40}[:=]\W{0,6}(?:changes[ _-]requested|needs[ _-]discussion|reject|denied|fail|no\b)",
    rf"\bverdict\b{_IN}\b(?:is|should be|would be) (?:not|no|negative|fail|reject|changes|a denial)\b",
)
# The same in the languages that reviewers answer in most, when a task is written in one of them.
_ABROAD = _any(
    # German, French, Spanish, Portuguese, Italian
    r"\b(?:darf|kann|sollte|soll) (?:\w+ ){0,6}?nicht (?:\w+ ){0,4}?(?:gemergt|gemerged|freigegeben|genehmigt|übernommen|ausgeliefert|veröffentlicht|abgenommen|akzeptiert)",
    r"\b(?:kann|darf) (?:ich |das |dies |es )(?:\w+ ){0,4}?nicht\b|\b(?:auf keinen fall|nicht (?:freigegeben|genehmigt|akzeptabel)|abgelehnt|muss (?:\w+ ){0,5}?(?:behoben|korrigiert|geändert))",
    r"\b(?:ne (?:doit|peut|faut) pas|doit être (?:corrigé|modifié)|à corriger|je refuse|je ne (?:peux|veux) pas|n['’]existe pas|échec|non approuvé|rejeté)",
    r"\b(?:no (?:se )?(?:debe|puede|puedo|apruebo|aprobado)|(?:debe|tiene que) (?:corregirse|arreglarse)|rechaz[oa])",
    r"\b(?:não (?:deve|pode|aprovo|aprovado)|precisa (?:ser )?corrigi|rejeit|non (?:approvo|va unito|può essere)|da correggere)",
    r"\b(?:unter der bedingung|nur (?:wenn|falls)|erst wenn|sobald|vorher noch|à condition|sous réserve|siempre que|una vez que|a condizione|sotto riserva)\b",
    r"\b(?:nie mogę|nie zatwierdz|odrzuc|należy poprawić|kan niet worden|niet goedgekeurd|afgekeurd|onaylayam|reddedil|nu pot|nem hagyom)",
    # Chinese, Japanese, Korean, Russian
    r"不通过|不能合并|不要合并|不予|拒绝|必须(?:先)?修|(?<!没有)(?<!无)(?<!不)需要修|修复后|不批准|有问题|未通过",
    r"修正が必要(?!あり|な点)|マージしない|却下|不合格|承認(?:でき|しま)せん|直して|問題があ|差し戻",
    r"수정(?:이|을)? ?(?:필요|해야)|승인(?:할|하지|불)|거부|병합하지|반려|머지하지",
    r"нельзя|не могу|доработ|не одобр|исправ(?:ить|лен)|отклон|не готов|не принима|нужно (?:переделать|поправить)",
)
# A pass that depends on something.
_CONDITIONS = _any(
    rf"\b{_APPROVAL}\b{_IN}\b{_WHEN}\b",
    rf"\b{_WHEN}\b{_IN}\b{_APPROVAL}\b",
    rf"\b{_APPROVAL}\b{_IN}\b(?:if|after|when)\b{_IN}\b{_FIXED}\b",
    rf"^\W*(?:if|after|when|once|until|unless)\b{_IN}\b(?:is|are|were|was|gets?|(?:has|have|had) been) {_FIXED}\b",
    r"\bI would (?:then |now |be |have )*(?:end|say|writ|conclud|answer|clos|finish|sign|approv|giv)\w*\b",
    r"\b(?:if|had) (?!no\b|not\b)[^.\n]{0,60}\b(?:were|had been|was to|would be)\b[^.\n]{0,60}\bI\b",
    r"\b(?:would|could|might) (?:be|have been) (?:an? )?(?:approv\w+|pass)\b|\bwould (?:otherwise )?(?:approve|pass)\b",
    rf"\b(?:fix|address|resolve|must|needs?|required?)\b{_IN}\bbefore (?:\w+ ){{0,3}}(?:merg|land|ship|releas|approv)\w*",
)
# A review that did not take place, or not of all of it: its writer speaks of what it did not do.
_SEEN = (
    r"(?:look(?:ed)?|read|see|seen|open(?:ed)?|review(?:ed)?|access(?:ed)?|inspect(?:ed)?|analyse[d]?|analyze[d]?|check(?:ed)?"
    r"|get|got|finish(?:ed)?|complete[d]?|reach(?:ed)?|verif(?:y|ied)|judge[d]?|assess(?:ed)?|receive[d]?)"
)
_UNSEEN = _any(
    rf"\bI (?:(?:have|had|did|could|was|am|can|do|will)(?: not|n['’]t)|cannot|never|(?:was|am) unable to|failed to)"
    rf" (?:able to |yet |really |even |actually |been able to )?{_SEEN}\b(?! anything| (?:any|an?) (?:issue|problem|defect|bug|reason|concern))",
    rf"\bI (?:have |had |was |am |could )?(?:only|just|barely) (?:just )?(?:begun|started|got|able|{_SEEN})\b",
    r"\bI (?:received|got|have|had|was given|saw) (?:no|an empty|only part of the|none of the) (?:diff|change|code|files?|patch)\b",
    r"\bI(?:['’]m| am)? (?:also )?(?:assum|guess|suppos|trusting|taking it on faith)\w*|\b(?:am|are|is) assuming\b|\bI have none to give\b",
    r"\b(?:ran out|run out) of (?:time|budget|context|tokens|money)|\b(?:budget|context|time|quota|tokens) (?:\w+ )?ran out\b",
    r"\b(?:did|could|does|do)(?: not|n['’]t) (?:get to|reach) (?:the|that|this|any)\b|\bbefore I (?:got|could|was able|had)\b",
    r"\b(?:some(?:body|one)|anyone) else (?:will|has to|should|must|needs)\b|\b(?:unreviewed|not been reviewed|not reviewed|unread)\b",
    r"\b(?:checkout|clone|diff|attachment|archive|repository|sandbox)\b[^.\n]{0,60}\b(?:failed|was empty|is empty|was locked|was shut down|timed out)\b",
    r"\b(?:review|analysis) (?:still )?(?:has|needs) to be done\b|\b(?:skeleton|placeholder|boilerplate|empty form|default)\b[^.\n]{0,40}\b(?:report|grade|verdict|form|file|answer)\b",
    r"\bgo with the default\b|\bfrom the (?:previous|last|earlier) (?:round|run|cycle)\b|\bthe remaining (?:\w+ )?(?:files?|commits?|parts?|changes)\b",
)
# A writer who does not stand behind the verdict.
_STANCE = _any(
    r"\b(?:shipping|merging|approving|landing|releasing) (?:this|it) (?:would|will) be\b|\b(?:read|take|see|count) it as my\b|\btoo kind\b",
    r"\b(?:no longer|not) stand (?:by|behind)\b|\bthe word (?:it|they|you) wants?\b|\b(?:pipeline|loop|tool|bot) keeps\b",
    r"\bno (?:code|test|implementation|trace) (?:of it )?at all\b|\b(?:left out|deferred|postponed) (?:for now|until|to a later)\b|\b(?:deliver|add|implement|do|bring) (?:it |this |that )?in a later\b",
    r"\bI(?:['’]m| am) still (?:reading|looking|reviewing|checking|working|going)\b|\bwill report (?:when|once|back|later)\b",
    r"\b(?:have|had|has) not (?:yet )?(?:seen|read|reviewed|looked|opened)\b|\bwrong (?:branch|revision|commit|repository|checkout)\b",
    r"^\W*(?:human|user|assistant|system|reviewer|author)\s*:|[❌✗✘⛔🚫]",
    r"\bmy objections?\b|\bI (?:still )?object\b|\bI (?:remain|am) (?:\w+ )?(?:unconvinced|sceptical|skeptical|concerned|worried|uneasy|unsure|torn)\b",
    r"\bI have (?:some |serious |strong |my |a few |grave )?(?:doubts?|concerns?|reservations?|objections?|misgivings)\b|\bagainst my better judge?ment\b",
    r"\b(?:express|have|offer|give) no (?:opinion|judge?ment|view)\b|\b(?:taken?|took|taking) (?:\w+ ){0,4}on (?:trust|faith)\b",
    r"\b(?:provisional|tentative|preliminary|conditional)(?:ly)?\b|\b(?:being|feeling) (?:kind|generous|lenient|nice)\b|\bbenefit of the doubt\b",
    r"\bstrictly speaking\b|\bat best\b|\bdeserves? (?:the |an? )?(?:low|wors|fail|warn|no|less)|\bonly because\b|\bto (?:make|get) (?:the|this) (?:loop|run|tool)\b",
    r"\bso that the (?:loop|run|job|pipeline|orchestrator) (?:ends|stops|goes on|finishes|continues)\b|\bI (?:set|flip|pick|chose|choose) the flag\b|\baccepts nothing else\b",
    r"\b(?:no longer|not any ?more) (?:holds|true|valid|applies|correct)\b|\b(?:grade|verdict|report) (?:\w+ ){0,3}(?:outdated|stale|superseded|obsolete)\b",
    r"\bturned out (?:to be )?(?:red|wrong|broken|false|failing)\b|\b(?:covers|applies to|is about|concerns|limited to) (?:[^.\n]{0,40} )?only\b",
    r"\b(?:another|a second|a human|a different) (?:reviewer|person|engineer|pair of eyes) (?:should|must|has to|needs to|will have to)\b",
    r"\b(?:compliance|quality) (?:is|was|gets?|remains) (?:\w+ ){0,3}(?:an? )?(?:warn|fail)\b|\bdoes nothing (?:yet|at all|useful)\b|\bconsists of `?(?:code|pass)\b",
)
_DEFECT = (
    r"(?:sql injection|command injection|injection|xss|csrf|ssrf|race(?: condition)?|deadlock|memory leak|leak|data loss|off-by-one|buffer overflow"
    r"|use-after-free|path traversal|auth(?:entication|orisation|orization)? bypass|bypass|hard-?coded (?:password|key|secret|token|credential)s?"
    r"|null (?:pointer|dereference)|infinite loop|double (?:free|charge|spend|payment)|privilege escalation|remote code execution|vulnerability|security hole|bug)"
)
# A defect that is named where it is, and not as something that is gone.
_NAMED = _any(
    rf"\b(?:there is|there are|we have|it has|has|with|introduces|leaves|found) (?:an?|one|two|some|the) (?:\w+ ){{0,2}}{_DEFECT}\b",
    rf"\b{_DEFECT} (?:in|at|on) (?:`code`|[\w/.-]+\.\w{{1,5}}:\d)",
    r"\b(?:is|are|gets?|get|being) (?:\w+ )?(?:lost|overwritten|corrupted|added twice|counted twice|charged twice|never (?:released|closed|checked|called|freed|escaped|validated|awaited))\b",
)
_GONE = re.compile(
    r"\b(?:fix(?:es|ed)?|gone|removed?|removes|no longer|resolve[ds]?|closed?|closes|prevent\w*|against|cover(?:s|ed)|tests? for|was|were|used to|previous\w*|earlier|before|would|if|avoid\w*|instead|without|regression test|reported|never again|addressed|not an?)\b",
    re.IGNORECASE,
)
# Something that is not done.
_OPEN = _any(
    rf"\b(?:must|needs? to|has to|have to|ought to|should)(?: still| first| also)? (?:be |get )?{_FIXED}\b",
    r"\b(?:needs?|wants) (?:fixing|another (?:round|pass|look)|more work|rework|a fix)\b",
    r"\bplease (?:fix|revert|address|change|correct)\b|\bchanges (?:are |were )?(?:required|needed)\b",
    r"\b(?:is|are|as|one|two|three|four|five|an?|another|the|remaining|\d+) (?!not\b|no\b|non)(?:[a-z]+ )?"
    r"(?:blockers?|blocking|show-?stoppers?)\b",
    r"\b(?:gate|tests?|suite|build|ci|pipeline|checks?) (?:is|are) (?:still |currently |now )?(?:red|failing|broken)\b",
    r"\bstill (?:fails?|failing|broken|red|vulnerable|wrong|incorrect|missing|leak(?:s|ing)?|crash(?:es|ing)?)\b",
    r"\bnot (?:yet )?(?:implemented|met|fulfilled|satisfied|delivered|done yet|there yet)\b|\b(?:unimplemented|UNMET|only a TODO)\b",
    r"\bdoes(?: not|n['’]t) (?:\w+ ){1,3}yet\b|\b(?:is|are) (?:still |simply |just )?missing\b|\bdoes(?: not|n['’]t) exist\b",
    r"\b(?:ships?|contains?|adds?|has|leaves|introduces|opens) an? (?:hard-?coded|plain-?text|unauthenticated|sql|command|path|remote|open) ",
    r"\b(?:loses|lose|lost|deletes?|drops?|corrupts?|leaks?) (?:all|every|some|any|the) (?:\w+ ){0,2}(?:data|orders?|rows?|records?|money|cents|messages|updates|passwords?|keys?|tokens?)\b",
    r"^\W*(?:\d+[.)]\s*)?\W*blockers?\b\W{1,6}[\w/]+\.\w{1,5}:\d|^\W*severity\W{0,4}:\W{0,4}(?:critical|high)\b|\btests? fails? (?:on|in|for|at)\b",
    r"\bnot started\b|^\W*requirement [\w.]+\W{0,4}:\W{0,4}(?:missing|no|not|unmet|open)\b|\bone thing (?:is )?left\b|\ba regression in\b",
    r"^\s*[-*+] \[ \] |\b(?:just|only|merely) a guess\b",
    r"\b(?:did not|didn['’]t|never) (?:really |even )?(?:look at|read|open|review|inspect) (?:the|any|all|most)\b",
    r"\b(?:not able|unable|failed|could not|couldn['’]t|cannot|can['’]t)\b(?: to)? (?:look at|read|see|open|review|access|inspect)"
    r" (?:all of )?(?:the |this |any )?(?:changes?|diff|files?|code|patch|repository)\b",
    r"\bstill (?:injectable|exploitable)\b|\b(?:unresolved|unfixed|unaddressed)\b",
)
# A verdict that its writer calls not its own.
_DISOWNED = _any(
    rf"{_ITS}{_IN}\b(?:not mine|not my|is quoted|a quot\w+|quoted from|an? (?:example|template|placeholder))\b",
    rf"{_ITS}{_IN}\b(?:copied from|taken from|planted|injected|for illustration|not (?:a|the|an) (?:real|actual))\b",
    rf"{_ITS}{_IN}\b(?:what the (?:file|change|diff|author|readme|prompt|commit)|as (?:instructed|told))\b",
    r"\bcopied (?:verbatim|from|over|out)\b|\bpasted\b|\bcomplying with\b|\bjudge?ment into it\b|\bfor the format\b",
    r"\bmy (?:own )?(?:opinion|verdict|review|judge?ment|assessment|answer) (?:follows|comes|will follow|is in another|stands elsewhere)\b",
    r"\b(?:have to|has to|must|should|need to|always) (?:end|close|finish|answer) with\b|\b(?:throws|rejects|discards)\b[^.\n]{0,40}\b(?:message|answer|reply)\b",
    r"\bthis is (?:what|the (?:line|content|text|string))\b|\b(?:is|are) what [^.\n]{0,60} (?:contains?|prints?|says?|holds?|returns?)\b",
    r"\bends with (?:this|the following|the next)\b|\b(?:previous|earlier|another|last) reviewer['’]?s?\b[^.\n]{0,30}\b(?:answer|verdict|words|line)\b",
    r"\basks? me to (?:end|say|write|approve|answer|pass)\b|\bmy verdict is the following\b|\bfor reference\b",
    r"\bwhich I (?:reproduce|repeat|copy|quote|cite)\b|\bI (?:reproduce|repeat|copy|quote|cite) (?:it|this|that|them) (?:here|below|for)\b",
    rf"\b(?:ignore|disregard|do not (?:trust|read|count|use|parse))\b{_IN}{_ITS}",
    r"\b(?:told|instructed|asked|forced|ordered|required) (?:me |us )?to (?:say|write|end|print|answer|approve|pass)\b",
    r"\b(?:file|change|diff|author|readme|commit|docstring|comment|document)(?: \w+){0,3} "
    r"(?:says?|ends? with|contains?|reads?|states?|claims?|demands?|asks?)\s*$",
)
_PAIR = re.compile(
    r"""(?:(?<=["'])(?:verdict|passed|approved|grade|intentSatisfied)["']\s{0,9}[:=]\s{0,9}["']?(?P<value>drift|false|changes[_ ]requested"""
    r"""|needs[_ ]discussion|fail(?:ed)?|warn|reject(?:ed)?|denied|no)\b(?!["']?\s{0,9}[|/])"""
    r"""|(?<![\w"'])(?:passed|approved|intentSatisfied)\s{0,9}[:=]\s{0,9}(?P<bare>false)\b)""",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\b(?:nothing|none|neither|anything|without|no(?! (?:doubt|question|way)))\b[^,;:]{0,40}$", re.IGNORECASE
)
_UNDONE = _any(
    r"\b(?:the|this) (?:change|implementation|patch|code) (?:does not|doesn['’]t|only|fails|lacks|misses|cannot)\b",
    r"\b(?:still missing|not (?:yet )?(?:implemented|done|met)|must be (?:added|fixed|changed))\b",
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
MAX_SENTENCES = 20_000


def denying_pair(text: str) -> str:
    """The value of the first JSON-like pair that denies, such as `"passed": false`; empty when there is none."""
    found = _PAIR.search(text)
    return (found["value"] or found["bare"]).replace(" ", "_") if found else ""


@dataclass(frozen=True)
class Denial:
    """What was found, in the reviewer's words; `refuses` when it can only mean no."""

    words: str
    refuses: bool = False


def denial(text: str) -> Denial | None:
    """The first sentence of a reviewer's own words that takes a pass away; None when there is none."""
    softer: Denial | None = None
    # Prose wraps: a sentence goes on over a single line end, and ends at a blank line or a list item.
    text = re.sub(r"^#{1,6}[ \t].*$", "", text, flags=re.MULTILINE)
    joined = re.sub(r"(?<![\n.!?:|])\n(?![\n#>|]|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])", " ", text)
    for sentence in _SENTENCE.split(joined)[:MAX_SENTENCES]:
        short = sentence[:600]
        found = _REFUSALS.search(short) or _ABROAD.search(short)
        if found and not _negated(short, found):
            return Denial(_shown(short), refuses=True)
        if softer is None and _doubtful(short):
            softer = Denial(_shown(short))
    return softer


def undone(text: str) -> bool:
    """Whether words about what a task is for say that the change does not do it."""
    return _UNDONE.search(text) is not None


def _doubtful(sentence: str) -> bool:
    named = _NAMED.search(sentence)
    if named and not _GONE.search(sentence) and not _negated(sentence, named):
        return True
    found = (pattern.search(sentence) for pattern in (_CONDITIONS, _UNSEEN, _STANCE, _OPEN, _DISOWNED))
    return any(one is not None and not _negated(sentence, one) for one in found)


def _negated(sentence: str, found: re.Match[str]) -> bool:
    """Whether the words before it say that there is none of it: "Nothing must be fixed"."""
    return bool(_NOTHING.search(sentence[: found.start()]))


def _shown(sentence: str) -> str:
    plain = " ".join(sentence.split())
    return plain if len(plain) <= 120 else plain[:119] + "…"
