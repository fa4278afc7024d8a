"""Comments: the same whether read line by line or from tokens."""

from __future__ import annotations

import io
import random
import tokenize
import warnings
from pathlib import Path

import pytest

from tensor_atlas.examples.comments import comments_of, docstring_end

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*/*.py"))
PIECES = (
    "# a comment\n",
    "    # indented\n",
    "\t# after a tab\n",
    "\f# after a form feed\n",
    "x = 1  # inline\n",
    "# two # marks\n",
    "# trailing space   \n",
    "#\n",
    "# a form\ffeed\n",
    "# => a claim\n",
    "y = '# none'\n",
    'y = "a#b"\n',
    "y = '''\n# in a long string\n'''\n",
    'y = """\n# in another\n"""\n',
    "y = ('a'\n# between strings\n'b')\n",
    "y = 'a\\\n# in a string that goes on\\\n'\n",
    "y = 1 + \\\n    2\n",
    "y = [\n    1,\n    # between items\n]\n",
    "y = f'{1:#x}'\n",
    "y = f'{(1\n# in a field\n)}'\n",
    "y = f'{1:\n# in a format\n}'\n",
    "\n",
    "if True:\n    pass\n    # under a body\n",
    "y = '\\''\n",
    "y = ''\n",
    "y = 1\r\n",
    "# ends with \r\n",
)
HEADS = (
    '"""Title."""\n',
    '"""Title\n=====\n\n# no comment\n"""\n',
    '"""Title."""  \n',
    '"""Title."""  # said\n',
    '"""Title.\rMore."""\n',
    "'''Title.'''\n",
    '"Title."\n',
    'r"""Title \\ """\n',
    '"""Title \\""" # no comment\n"""\n',
    '"""One.""" """\n# Two."""\n',
    '("""One."""\n# between\n"""Two.""")\n',
    '# first\n"""Title."""\n',
    '"""One.""" \\\n"""\n# Two."""\n',
    '"""One."""; x = """\n# Two."""\n',
)


def _from_tokens(text: str) -> list[tuple[int, int, str]]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [(*token.start, token.string) for token in tokens if token.type == tokenize.COMMENT]


def _end_from_tokens(text: str) -> int:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return next(token.end[0] for token in tokens if token.type == tokenize.STRING)


def _is_python(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "x.py", "exec")
        except SyntaxError:
            return False
    return True


@pytest.mark.parametrize("head", HEADS)
def test_texts_of_any_pieces_have_the_comments_of_their_tokens(head: str) -> None:
    chance = random.Random(head)
    texts = [head, head.rstrip("\n")]
    texts += [head + piece for piece in PIECES] + [(head + piece).rstrip("\n") for piece in PIECES]
    texts += [head + "".join(chance.choices(PIECES, k=chance.randint(1, 5))) for _ in range(300)]
    tried = [text for text in texts if _is_python(text)]
    assert len(tried) > 100
    for text in tried:
        assert comments_of(text) == _from_tokens(text), text
        assert docstring_end(text) == _end_from_tokens(text), text


def test_every_example_has_the_comments_of_its_tokens() -> None:
    assert len(EXAMPLES) > 100
    for path in EXAMPLES:
        text = path.read_text(encoding="utf-8")
        assert comments_of(text) == _from_tokens(text), path
        assert docstring_end(text) == _end_from_tokens(text), path


def test_most_examples_are_read_without_their_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """To make them took more than half of the time that reading an example took."""
    asked: list[str] = []

    def generate(*_: object) -> list[tokenize.TokenInfo]:
        asked.append("tokens")
        return []

    monkeypatch.setattr(tokenize, "generate_tokens", generate)
    for path in EXAMPLES:
        comments_of(path.read_text(encoding="utf-8"))
    assert len(asked) < len(EXAMPLES) / 4
