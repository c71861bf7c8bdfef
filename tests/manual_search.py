"""The search of the manual, ranked as Material for MkDocs ranks it in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

from lunr.builder import Builder
from lunr.query import Query
from lunr.query_parser import QueryParser
from lunr.stop_word_filter import WORDS, stop_word_filter

FIELDS = ("title", "text")


class Search:
    """The index that a build wrote, as Material's worker reads it (``integrations/search`` in its sources)."""

    def __init__(self, site: Path) -> None:
        written = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
        self._separator = re.compile(written["config"]["separator"])
        builder = Builder()
        builder.b(0)
        builder.ref("location")
        builder.pipeline.add(stop_word_filter)
        for field in FIELDS:
            builder.field(
                field, written["config"]["fields"][field]["boost"], lambda doc, field=field: self._words(doc[field])
            )
        for section in written["docs"]:
            builder.add(section, {"boost": section.get("boost", 1)})
        self._index = builder.build()

    def _words(self, html: str) -> list[str]:
        return [word for word in self._separator.split(re.sub("<[^>]*>", " ", html)) if word]

    def __call__(self, question: str) -> dict[str, list[str]]:
        """The pages that are shown for a question, each with the addresses of its sections that match, best first."""
        query = Query(FIELDS)
        typed = " ".join(f"{word}*" for word in question.split())
        QueryParser(self._separator.sub(" ", typed), query).parse()
        terms = [clause.term.rstrip("*").lower() for clause in query.clauses]
        scores: dict[str, float] = {}
        for found in self._index.query(query):
            location, matched = found["ref"], found["match_data"].metadata
            hits = {term for term in terms if any(word.startswith(term) for word in matched)}
            share = len(hits) / len(hits.union(terms) - (WORDS - hits))
            scores[location] = found["score"] * (1 + (("#" not in location) + share) ** 2)
        pages: dict[str, list[str]] = {}
        for location in sorted(scores, key=lambda each: -scores[each]):
            pages.setdefault(location.partition("#")[0], []).append(location)
        return pages
