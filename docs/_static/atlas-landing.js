// The landing page's pick: what I have, what I want, and in view only the lines that answer it.
// Without this script all lines are in view. A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const distinct = (values) => [...new Set(values)];

  function select(words, changed) {
    const element = document.createElement("select");
    element.addEventListener("change", changed);
    const label = document.createElement("label");
    label.append(words, element);
    return { label, element };
  }

  function fill(element, values) {
    // What was chosen stays chosen where it is still offered.
    const kept = values.includes(element.value) ? element.value : values[0];
    element.replaceChildren(...values.map((value) => new Option(value, value, false, value === kept)));
  }

  function start(place) {
    const rows = [...place.querySelectorAll(".atlas-pick-row")];
    const list = place.querySelector(".atlas-pick-rows");
    const have = select("I have", pick);
    const want = select("I want", pick);

    function pick() {
      const mine = rows.filter((row) => row.dataset.have === have.element.value);
      fill(want.element, distinct(mine.map((row) => row.dataset.want)));
      for (const row of rows) row.hidden = !(mine.includes(row) && row.dataset.want === want.element.value);
    }

    fill(have.element, distinct(rows.map((row) => row.dataset.have)));
    pick();
    const form = document.createElement("form");
    form.className = "atlas-pick-form";
    form.setAttribute("aria-label", "Choose a conversion");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.append(have.label, want.label);
    list.before(form);
    list.setAttribute("aria-live", "polite");
    place.classList.add("atlas-pick-ready");
  }

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".atlas-pick").forEach(start));
})();
