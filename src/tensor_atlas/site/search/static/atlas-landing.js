// The landing page's doors. A pick: two lists, and in view only the lines that answer what is chosen in them; without this
// script all lines are in view. The upgrade: torch and NumPy before and after, and a link to what changes between them.
// A classic script: browsers refuse modules on pages opened as files.
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

  function fill(element, values, usual = values[0]) {
    // What was chosen stays chosen where it is still offered.
    const kept = values.includes(element.value) ? element.value : usual;
    element.replaceChildren(...values.map((value) => new Option(value, value, false, value === kept)));
  }

  function buildForm(place, ...parts) {
    const form = document.createElement("form");
    form.className = "atlas-pick-form";
    form.setAttribute("aria-label", place.closest("section").querySelector("h2").firstChild.textContent);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.append(...parts);
    return form;
  }

  function startPick(place) {
    const rows = [...place.querySelectorAll(".atlas-pick-row")];
    const list = place.querySelector(".atlas-pick-rows");
    const first = select(place.dataset.first, () => carry(pick()));
    const second = select(place.dataset.second, () => carry(pick()));

    function pick() {
      const mine = rows.filter((row) => row.dataset.first === first.element.value);
      fill(second.element, distinct(mine.map((row) => row.dataset.second)));
      for (const row of rows) row.hidden = !(mine.includes(row) && row.dataset.second === second.element.value);
      return rows.find((row) => !row.hidden);
    }

    // What was chosen goes along to the page that asks for more: its address holds a question.
    function carry(row) {
      const find = (part) => part?.querySelector('.atlas-pick-asked a[href*="#have="]')?.getAttribute("href");
      const page = find(list)?.split("#")[0];
      const links = [...document.querySelectorAll("a[href]")].filter((link) => !list.contains(link));
      for (const link of links) {
        if (page && link.getAttribute("href").split("#")[0] === page) link.setAttribute("href", find(row) ?? page);
      }
    }

    fill(first.element, distinct(rows.map((row) => row.dataset.first)));
    pick();
    list.before(buildForm(place, first.label, second.label));
    list.setAttribute("aria-live", "polite");
    place.classList.add("atlas-pick-ready");
  }

  function startUpgrade(place) {
    // By torch and NumPy, the name of an environment on the page of changes: torch/NumPy/cpu, then a Python that is not the usual one.
    const known = new Map();
    for (const name of place.dataset.ends.split(" ")) {
      const [torch, numpy] = name.split("/");
      if (!known.has(torch)) known.set(torch, new Map());
      if (!known.get(torch).has(numpy)) known.get(torch).set(numpy, name);
    }
    const link = document.createElement("a");
    link.className = "btn btn-sm atlas-upgrade-go";
    link.textContent = "Show what changes";
    const ends = ["From", "To"].map((end) => [select(`${end} torch`, point), select(`${end} NumPy`, point)]);

    function nameEnd([torch, numpy]) {
      const names = known.get(torch.element.value);
      const usual = [...names.keys()].find((release) => names.get(release).endsWith("/cpu"));
      fill(numpy.element, [...names.keys()], usual);
      return names.get(numpy.element.value);
    }

    function point() {
      const [from, to] = ends.map(nameEnd);
      link.href = `${place.dataset.page}#from=${from}&to=${to}`;
    }

    for (const [torch] of ends) fill(torch.element, [...known.keys()]);
    ends[0][0].element.selectedIndex = Math.min(7, known.size - 1);
    point();
    place.append(buildForm(place, ...ends.flat().map(({ label }) => label), link));
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".atlas-pick").forEach(startPick);
    document.querySelectorAll(".atlas-upgrade-door").forEach(startUpgrade);
  });
})();
