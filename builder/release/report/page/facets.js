// What the list can be narrowed by: a box of choices for each facet, and what is chosen as chips.

/** A facet as a box of check boxes, one for each value that any item has. */
class FacetBox {
  constructor(release, key, toggle) {
    this.key = key;
    this.choices = facetValues(release, key).map((value) => {
      const input = el("input", { type: "checkbox", value, onchange: () => toggle(key, value) });
      const number = el("span", { class: "n" });
      const title = key === "reason" ? release.reasons[value] : null;
      const words = el("span", { class: "value" }, valueWords(key, value));
      return { value, input, number, line: el("label", { title }, input, words, number) };
    });
    const lines = this.choices.map((each) => each.line);
    this.element = el("fieldset", {}, el("legend", {}, FACETS[key].label), lines);
  }

  /** Show what is chosen, and how many items each choice would give; none: it is hidden. */
  update(chosen, counts) {
    for (const { value, input, number, line } of this.choices) {
      const found = counts.get(value) ?? 0;
      input.checked = chosen?.has(value) ?? false;
      number.textContent = count(found);
      line.hidden = !found && !input.checked;
    }
    this.element.hidden = this.choices.every(({ line }) => line.hidden);
  }
}

/** The values of a facet, the most frequent first; numbers in their order. */
function facetValues(release, key) {
  const totals = new Map();
  for (const item of [...release.rows, ...release.lost]) {
    const value = FACETS[key].of(item);
    if (value) totals.set(value, (totals.get(value) ?? 0) + 1);
  }
  const values = [...totals.keys()];
  if (key === "arity") return values.sort((a, b) => a - b);
  return values.sort((a, b) => totals.get(b) - totals.get(a) || (a < b ? -1 : 1));
}

/** Buttons that take one filter away each, and one for all of them. */
function chips(state, toggle, change) {
  const chip = (text, onclick) => {
    const label = `${text}, remove this filter`;
    return el(
      "button",
      { type: "button", class: "chip", "aria-label": label, onclick },
      `${text} ×`,
    );
  };
  const nodes = [];
  for (const [key, values] of Object.entries(state.chosen)) {
    for (const value of values) {
      nodes.push(chip(`${FACETS[key].label}: ${valueWords(key, value)}`, () => toggle(key, value)));
    }
  }
  for (const [key, range] of Object.entries(state.ranges)) {
    const { [key]: _, ...ranges } = state.ranges;
    nodes.push(chip(`${MEASURES[key].label}: ${binWords(key, range)}`, () => change({ ranges })));
  }
  if (state.query) nodes.push(chip(`“${state.query}”`, () => change({ query: "" })));
  if (nodes.length > 1) {
    const { outcome, sort } = state;
    const onclick = () => change({ ...everything(), outcome, sort });
    nodes.push(el("button", { type: "button", class: "chip clear", onclick }, "Clear all"));
  }
  return nodes;
}
