"""How readable text is in a browser; nothing here asserts."""

from __future__ import annotations

import json

_SCRIPT = """(texts, paint) => {
  const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const numbers = css => (css.match(/[\\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = node => {
    for (let n = node; n; n = n.parentElement) {
      const c = numbers(getComputedStyle(n).backgroundColor);
      if (c.length === 3 || c[3] > 0.99) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll(texts)]
    .filter(node => paint !== 'color' || node.textContent.trim())
    .map(node => {
      const own = luminance(numbers(getComputedStyle(node)[paint]));
      const [a, b] = [own, luminance(behind(node))].sort((x, y) => y - x);
      return [node.textContent.trim().slice(0, 40), (a + 0.05) / (b + 0.05)];
    });
}"""


def contrasts(texts: str, paint: str = "color") -> str:
    """Script that gives text and contrast to the background of all that the selector ``texts`` finds.

    With another ``paint`` than the colour of text, such as ``fill``, of shapes too.
    """
    return f"() => ({_SCRIPT})({json.dumps(texts)}, {json.dumps(paint)})"
