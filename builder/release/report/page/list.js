// The list of rows: search and order at the top, facets at the side, the table.

const ADDRESS_DELAY = 300;
const OUTCOMES = { kept: "In the release", lost: "Lost", all: "All" };

class ListView {
  constructor(release) {
    this.release = release;
    const toggle = (key, value) => this.toggle(key, value);
    this.facets = Object.keys(FACETS).map((key) => new FacetBox(release, key, toggle));
    this.table = new RowTable(
      release,
      (column) => this.sortBy(column),
      () => this.query.focus(),
    );
    this.build();
    this.set(everything());
    // A link leaves the list: what stands in the history has to be the list as it is.
    const settle = (event) => this.late && event.target.closest?.("a") && this.settle();
    addEventListener("click", settle, { capture: true });
  }

  build() {
    this.title = el("h1", { tabindex: "-1" });
    this.lead = el("p", { class: "lead" });
    this.number = el("p", { class: "number" });
    this.chips = el("div", { class: "chips" });
    const filters = el(
      "aside",
      { class: "filters", id: "filters", "aria-label": "Filters" },
      this.facets.map((each) => each.element),
    );
    this.element = el(
      "div",
      { class: "browse" },
      el("div", { class: "heading" }, this.title, this.lead),
      this.tools(),
      filters,
      el(
        "section",
        { class: "results", "aria-label": "Results" },
        el("div", { class: "bar-line" }, this.number, this.chips, keysHint()),
        this.table.element,
      ),
    );
  }

  tools() {
    this.query = el("input", {
      type: "search",
      id: "query",
      placeholder: 'id, description, code … "words together"',
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.change({ query: this.query.value }),
      onkeydown: (event) => {
        if (event.key !== "ArrowDown" || !this.found.length) return;
        event.preventDefault();
        this.table.focusRow(this.table.active);
      },
    });
    this.outcomes = Object.keys(OUTCOMES).map((value) => {
      const onchange = () => this.choose(value);
      return el("input", { type: "radio", name: "outcome", value, onchange });
    });
    const onsort = () => this.change({ sort: this.sort.value });
    this.sort = el("select", { id: "sort", onchange: onsort }, sortOptions());
    this.more = el(
      "button",
      {
        type: "button",
        class: "more-filters",
        "aria-expanded": "false",
        "aria-controls": "filters",
        onclick: () => this.toggleFilters(),
      },
      "Filters",
    );
    return el(
      "div",
      { class: "tools", role: "search" },
      el("label", { class: "hidden", for: "query" }, "Search in id, description and code"),
      this.query,
      el(
        "fieldset",
        { class: "segments" },
        el("legend", { class: "hidden" }, "Which rows"),
        this.outcomes.map((input) => el("label", {}, input, el("span", {}, OUTCOMES[input.value]))),
      ),
      el("label", { class: "sort" }, el("span", {}, "Sort"), this.sort),
      this.more,
    );
  }

  get found() {
    return this.table.found;
  }

  toggleFilters() {
    const open = this.more.getAttribute("aria-expanded") !== "true";
    this.more.setAttribute("aria-expanded", String(open));
    this.element.classList.toggle("filters-open", open);
  }

  toggle(key, value) {
    const values = new Set(this.state.chosen[key]);
    if (!values.delete(value)) values.add(value);
    const chosen = { ...this.state.chosen, [key]: values };
    if (!values.size) delete chosen[key];
    this.change({ chosen });
  }

  choose(outcome) {
    const { reason, stage, ...others } = this.state.chosen;
    this.change({ outcome, chosen: outcome === "kept" ? others : this.state.chosen });
  }

  sortBy({ key, worst }) {
    const order = worst === "low" ? [key, `-${key}`, ""] : [`-${key}`, key, ""];
    this.change({ sort: order[(order.indexOf(this.state.sort) + 1) % order.length] });
  }

  /** Take a change by the reader; the address follows without a step in the history. */
  change(part) {
    this.set({ ...this.state, ...part });
    announce(this.number.textContent);
    this.forget();
    this.late = setTimeout(() => this.settle(), ADDRESS_DELAY);
  }

  /** Leave the address as it is: it is another one's by now. */
  forget() {
    clearTimeout(this.late);
    this.late = null;
  }

  /** Write the state into the address; not at every key, since browsers limit how often. */
  settle() {
    this.forget();
    history.replaceState(history.state, "", addressOf(this.state));
    document.title = titled(this.name());
  }

  /** Show what a state wants. */
  set(state) {
    this.state = state;
    const { found, counts, among } = search(this.release, state);
    this.title.textContent = visible(this.name());
    this.lead.textContent = visible(this.sentence());
    this.number.textContent = `${count(found.length)} of ${counted(among, "row")}`;
    if (this.query.value !== state.query) this.query.value = state.query;
    this.sort.value = state.sort;
    for (const input of this.outcomes) input.checked = input.value === state.outcome;
    for (const box of this.facets) box.update(state.chosen[box.key], counts[box.key]);
    this.chips.replaceChildren(
      ...chips(
        state,
        (key, value) => this.toggle(key, value),
        (part) => this.change(part),
      ),
    );
    this.table.show(found, terms(state.query), state, this.reason() !== null);
  }

  /** The one reason that is looked at, if it is one. */
  reason() {
    const reasons = [...(this.state.chosen.reason ?? [])];
    return reasons.length === 1 && this.state.outcome === "lost" ? reasons[0] : null;
  }

  name() {
    return this.reason() ? `Lost: ${this.reason().replaceAll("_", " ")}` : "Rows";
  }

  sentence() {
    if (!this.reason()) return "";
    return this.release.reasons[this.reason()] ?? "No row was lost for this reason.";
  }
}

function sortOptions() {
  const options = [el("option", { value: "" }, "as in the release")];
  for (const [key, { label }] of Object.entries(MEASURES)) {
    options.push(
      el("option", { value: key }, `${label}, lowest first`),
      el("option", { value: `-${key}` }, `${label}, highest first`),
    );
  }
  return options;
}

function keysHint() {
  const key = (name) => el("kbd", {}, name);
  return el("p", { class: "keys", "aria-hidden": "true" }, [
    key("/"),
    " search ",
    key("↑"),
    key("↓"),
    " move ",
    key("Enter"),
    " open",
  ]);
}
