// The landing page's forms. Its pick: what I have, what I want, and in view only the lines that answer it; without this
// script all lines are in view. Its upgrade: two releases, and a link to what changes between them. A classic script: browsers refuse modules on pages opened as files.
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

  function startUpgrade(place) {
    // One environment for each release: the newest NumPy that fits it.
    const known = window.atlasEnvironments.filter((each) => each.fits && each.usual && each.device.startsWith("CPU"));
    const releases = new Map();
    for (const each of known) if (!releases.has(each.torch)) releases.set(each.torch, `${each.torch}/${each.numpy}/cpu`);
    const link = document.createElement("a");
    link.className = "btn btn-sm atlas-upgrade-go";
    link.textContent = "Show what changes";
    const from = select("From torch", point);
    const to = select("To torch", point);

    function point() {
      const ends = [from, to].map((side) => releases.get(side.element.value));
      link.href = `${place.dataset.page}#from=${ends[0]}&to=${ends[1]}`;
    }

    for (const side of [from, to]) fill(side.element, [...releases.keys()]);
    from.element.selectedIndex = Math.min(7, releases.size - 1);
    point();
    const form = document.createElement("form");
    form.className = "atlas-pick-form";
    form.setAttribute("aria-label", "Compare two releases");
    form.append(from.label, to.label, link);
    place.append(form);
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".atlas-pick").forEach(start);
    document.querySelectorAll(".atlas-upgrade-door").forEach(startUpgrade);
  });
})();
