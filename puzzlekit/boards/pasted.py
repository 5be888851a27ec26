"""Links as people paste them: found in whatever chat, mail, Markdown or a search engine put around them. Knows links,
not genres.

One step does it all. Characters without a width are dropped; a link is `name/cols/rows/body` wherever it stands, so
every wrapper falls away by itself; a text without one is looked at again with its percent signs decoded, then with its
line breaks mended. A body ends at the first character that cannot be in one. Marks after a link that could be part of
it (`.` and `*`, say) are told apart by whoever reads the body: see `Link.bodies`.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

_INVISIBLE = dict.fromkeys(
    [0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_LINK = re.compile(
    r"(?<![A-Za-z0-9])(?P<name>[A-Za-z][A-Za-z0-9]*?)(?:_edit|_play|_test)?/(?:[A-Za-z]+:?/)?"
    r"(?P<cols>[0-9]+)/(?P<rows>[0-9]+)/(?P<body>[-0-9a-z.+=%*$]+)(?P<slash>/?)(?![A-Za-z0-9/])"
)
_FILE = re.compile(r"pzprv3(?:\.[0-9])?/[^\s<>\"]*/")
_MARKS = ".*-=+$"  # of a body, which may also be the sentence's or Markdown's
_BREAK = re.compile(r"[^\S\n]*=?\n[>\s]*")  # mail: soft line breaks, and marks of quotation


class Link(NamedTuple):
    """A link in a text.

    name, cols, rows, body : str    as written
    tail : str                      what the lines below it go on with, where they are one word each: a link broken by
                                    mail
    place : int                     line of the text, from 1
    closed : bool                   it ends in a slash, so that nothing after it was lost
    file : str                      the text of a pzprv3 file, for a link that carries one; the other parts but place
                                    are empty
    stated : bool                   it is at the start of a line or a query, so that its name is meant as a genre's
    """

    name: str
    cols: str
    rows: str
    body: str
    tail: tuple[str, ...]
    place: int
    closed: bool
    file: str
    stated: bool

    def with_body(self, body: str) -> str:
        """The link with another body."""
        return f"{self.name.lower()}/{self.cols}/{self.rows}/{body}"

    def bodies(self) -> Iterator[str]:
        """The body as it stands, then without marks at its end, then percent-decoded, then with the lines below: the
        first that fills the grid is meant, as all that is longer overfills it and all that is shorter leaves cells
        empty.
        """
        yield from _without_marks(self.body)
        if "%" in self.body:
            yield from _without_marks(unquote(self.body))
        if not self.closed:
            plain, soft = self.body, self.body.removesuffix("=")  # mail ends a line that goes on with =
            for word in self.tail:
                plain, soft = plain + word, soft.removesuffix("=") + word
                yield from _without_marks(plain)
                if soft != plain:
                    yield from _without_marks(soft)

    def restored(self) -> str | None:
        """The body with a dot at its end, which a program may have taken for the sentence's; None where it cannot have
        had one.
        """
        return None if self.closed or self.tail else self.body.rstrip("*") + "."


def _without_marks(body):
    yield body
    while body and body[-1] in _MARKS:
        body = body[:-1]
        yield body


def links(text: str) -> list[Link]:
    """The links in a text, in order.

    >>> [link.with_body(link.body) for link in links("[b](https://puzz.link/p?http://pzv.jp/p.html?usoone/2/2/00bg)!")]
    ['usoone/2/2/00bg']
    >>> [link.with_body(link.body) for link in links("see p%3Fusoone%2F2%2F2%2F00bg thanks")]
    ['usoone/2/2/00bg']
    """
    text = clean(text)
    decoded = unquote(text)
    for version in (text, decoded, unquote(decoded), _BREAK.sub("", text), unquote(_BREAK.sub("", text))):
        found = _in(version)
        if found:
            return found
    return []


def clean(text: str) -> str:
    """A text without characters that have no width, and with `&amp;` and the like as what they stand for."""
    text = text.translate(_INVISIBLE)
    return unescape(text) if re.search("&(amp|lt|gt|quot|nbsp|#[0-9]+);", text) else text


def _in(text):
    found, spans = [], []
    for match in _FILE.finditer(text):
        spans.append(match.span())
        content = unquote(match[0]) if "%" in match[0] else match[0]
        found.append((match.start(), Link("", "", "", "", (), _line(text, match.start()), True, content, True)))
    for match in _LINK.finditer(text):
        if any(start <= match.start() < end for start, end in spans):
            continue
        before = text[: match.start()]
        stated = not before.rpartition("\n")[2].strip() or before[-1] in "?&"
        parts = match["name"], match["cols"], match["rows"], match["body"]
        found.append(
            (
                match.start(),
                Link(*parts, _tail(text, match.end()), _line(text, match.start()), bool(match["slash"]), "", stated),
            )
        )
    return [link for _, link in sorted(found, key=lambda item: item[0])]


def _tail(text, end):
    """Words that stand alone on the lines below, as the rest of a broken link does."""
    words, lines = [], text[end:].split("\n")
    if lines[0].strip(" \t\r="):
        return ()
    for line in lines[1:]:
        word = re.fullmatch(r"[>\s]*([-0-9a-z.+=%*$]+)[)\]>}\"'/,;!?\s]*", line)
        if not word:
            break
        words.append(word[1])
    return tuple(words)


def _line(text, at):
    return text.count("\n", 0, at) + 1
