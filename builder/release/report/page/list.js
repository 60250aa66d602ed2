// The list of rows: facets at the side, words at the top, and only the rows in sight in the tree.

const ROW_HEIGHT = 56;
const SPARE_ROWS = 12;

const COLUMNS = [
  { key: "arity", head: "params", class: "narrow" },
  { key: "lines", head: "lines", class: "narrow" },
  { key: "tests", head: "tests", class: "narrow" },
  { key: "branchCoverage", head: "branches", class: "share", worst: "low" },
  { key: "mutationScore", head: "mutation", class: "share", worst: "low" },
  { key: "contextScore", head: "context", class: "share", worst: "low" },
  { key: "survivors", head: "alive", class: "narrow" },
];
const OUTCOMES = { kept: "In the release", lost: "Lost", all: "All" };

class ListView {
  constructor(release) {
    this.release = release;
    this.state = everything();
    this.result = search(release, this.state);
    this.active = 0;
    this.scrolled = 0;
    this.build();
  }

  build() {
    this.title = el("h1", { tabindex: "-1" });
    this.lead = el("p", { class: "lead" });
    this.query = el("input", {
      type: "search",
      id: "query",
      placeholder: 'id, description, code … "words together"',
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.change({ query: this.query.value }),
      onkeydown: (event) => {
        if (event.key === "ArrowDown" && this.result.found.length) {
          event.preventDefault();
          this.focusRow(this.active);
        }
      },
    });
    this.outcomes = Object.entries(OUTCOMES).map(([value, label]) =>
      el("label", {}, el("input", { type: "radio", name: "outcome", value, onchange: () => this.choose(value) }), el("span", {}, label)),
    );
    this.sort = el("select", { id: "sort", onchange: () => this.change({ sort: this.sort.value }) }, this.sortOptions());
    this.number = el("p", { class: "number" });
    this.chips = el("div", { class: "chips" });
    this.facets = Object.keys(FACETS).map((key) => this.facet(key));
    this.more = el(
      "button",
      { type: "button", class: "more-filters", "aria-expanded": "false", "aria-controls": "filters", onclick: () => this.toggleFilters() },
      "Filters",
    );
    this.filters = el("aside", { class: "filters", id: "filters", "aria-label": "Filters" }, this.facets.map((each) => each.box));
    this.head = el("tr", {}, this.headCells());
    this.body = el("tbody");
    this.table = el("table", { class: "list", "aria-label": "Rows" }, el("thead", {}, this.head), this.body);
    this.scroller = el("div", { class: "scroller", tabindex: "-1", onkeydown: (event) => this.key(event), onclick: (event) => this.click(event) }, this.table);
    this.scroller.addEventListener("scroll", () => this.scheduleDraw(), { passive: true });
    new ResizeObserver(() => this.scheduleDraw()).observe(this.scroller);
    this.element = el(
      "div",
      { class: "browse" },
      el("div", { class: "heading" }, this.title, this.lead),
      el(
        "div",
        { class: "tools", role: "search" },
        el("label", { class: "hidden", for: "query" }, "Search in id, description and code"),
        this.query,
        el("fieldset", { class: "segments" }, el("legend", { class: "hidden" }, "Which rows"), this.outcomes),
        el("label", { class: "sort" }, el("span", {}, "Sort"), this.sort),
        this.more,
      ),
      this.filters,
      el("section", { class: "results", "aria-label": "Results" }, el("div", { class: "bar-line" }, this.number, this.chips), this.scroller),
    );
  }

  sortOptions() {
    const options = [el("option", { value: "" }, "as in the release")];
    for (const [key, { label }] of Object.entries(MEASURES)) {
      options.push(el("option", { value: key }, `${label}, lowest first`), el("option", { value: `-${key}` }, `${label}, highest first`));
    }
    return options;
  }

  headCells() {
    const numbers = COLUMNS.map((column) =>
      el(
        "th",
        { scope: "col", class: column.class, "data-key": column.key },
        el("button", { type: "button", title: `Sort by ${MEASURES[column.key].label.toLowerCase()}`, onclick: () => this.sortBy(column) }, column.head),
      ),
    );
    return [el("th", { scope: "col", class: "id" }, "row"), el("th", { scope: "col", class: "what" }, "method"), ...numbers];
  }

  /** A facet: a box of check boxes, one for each value that any item has. */
  facet(key) {
    const { label, of } = FACETS[key];
    const totals = new Map();
    for (const item of [...this.release.rows, ...this.release.lost]) {
      const value = of(item);
      if (value) totals.set(value, (totals.get(value) ?? 0) + 1);
    }
    const values = [...totals.keys()];
    if (key === "arity") values.sort((a, b) => a - b);
    else values.sort((a, b) => totals.get(b) - totals.get(a) || (a < b ? -1 : 1));
    const choices = values.map((value) => {
      const input = el("input", { type: "checkbox", value, onchange: () => this.toggle(key, value) });
      const number = el("span", { class: "n" });
      const title = key === "reason" ? this.release.reasons[value] : null;
      return { value, input, number, line: el("label", { title }, input, el("span", { class: "value" }, valueWords(key, value)), number) };
    });
    const box = el("fieldset", {}, el("legend", {}, label), choices.map((each) => each.line));
    return { key, box, choices };
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
    const chosen = { ...this.state.chosen };
    if (outcome === "kept") delete chosen.reason;
    this.change({ outcome, chosen });
  }

  sortBy({ key, worst }) {
    const order = worst === "low" ? [key, `-${key}`, ""] : [`-${key}`, key, ""];
    this.change({ sort: order[(order.indexOf(this.state.sort) + 1) % order.length] });
  }

  /** Take a change by the reader: the address follows without a step in the history. */
  change(part) {
    this.set({ ...this.state, ...part });
    history.replaceState(history.state, "", addressOf(this.state));
    document.title = this.name();
  }

  /** Show what a state wants. */
  set(state) {
    this.state = state;
    this.result = search(this.release, state);
    this.active = 0;
    this.scrolled = 0;
    this.scroller.scrollTop = 0;
    this.update();
    this.draw();
  }

  name() {
    const reasons = [...(this.state.chosen.reason ?? [])];
    return reasons.length === 1 && this.state.outcome === "lost" ? `Lost: ${reasons[0].replaceAll("_", " ")}` : "Rows";
  }

  update() {
    const { state, result } = this;
    const reasons = [...(state.chosen.reason ?? [])];
    this.title.textContent = visible(this.name());
    this.lead.textContent = reasons.length === 1 ? visible(this.release.reasons[reasons[0]] ?? "No row was lost for this reason.") : "";
    if (this.query.value !== state.query) this.query.value = state.query;
    this.sort.value = state.sort;
    for (const label of this.outcomes) label.firstChild.checked = label.firstChild.value === state.outcome;
    const words = `${count(result.found.length)} of ${counted(result.among, "row")}`;
    this.number.textContent = words;
    announce(words);
    for (const { key, box, choices } of this.facets) {
      let some = false;
      for (const { value, input, number, line } of choices) {
        const found = result.counts[key].get(value) ?? 0;
        input.checked = state.chosen[key]?.has(value) ?? false;
        number.textContent = count(found);
        line.hidden = !found && !input.checked;
        some ||= !line.hidden;
      }
      box.hidden = !some;
    }
    for (const cell of this.head.children) {
      const { key } = cell.dataset;
      if (state.sort.replace("-", "") !== key) cell.removeAttribute("aria-sort");
      else cell.setAttribute("aria-sort", state.sort.startsWith("-") ? "descending" : "ascending");
    }
    this.chips.replaceChildren(...this.chipNodes());
  }

  chipNodes() {
    const { chosen, ranges, query } = this.state;
    const chip = (text, onclick) => el("button", { type: "button", class: "chip", "aria-label": visible(`${text}, remove this filter`), onclick }, `${text} ×`);
    const nodes = [];
    for (const [key, values] of Object.entries(chosen)) {
      for (const value of values) nodes.push(chip(`${FACETS[key].label}: ${valueWords(key, value)}`, () => this.toggle(key, value)));
    }
    for (const [key, range] of Object.entries(ranges)) {
      const left = { ...ranges };
      delete left[key];
      nodes.push(chip(`${MEASURES[key].label}: ${binWords(key, range)}`, () => this.change({ ranges: left })));
    }
    if (query) nodes.push(chip(`“${query}”`, () => this.change({ query: "" })));
    if (nodes.length > 1) nodes.push(el("button", { type: "button", class: "chip clear", onclick: () => this.change({ ...everything(), outcome: this.state.outcome, sort: this.state.sort }) }, "Clear all"));
    return nodes;
  }

  scheduleDraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  /** Put the rows in sight, and some around them, into the tree. */
  draw() {
    const { found } = this.result;
    const top = this.scroller.scrollTop;
    if (this.scroller.isConnected) this.scrolled = top;
    const height = this.scroller.clientHeight || 800;
    const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - SPARE_ROWS);
    const last = Math.min(found.length, Math.ceil((top + height) / ROW_HEIGHT) + SPARE_ROWS);
    const hadFocus = this.body.contains(document.activeElement);
    const words = terms(this.state.query);
    const columns = [...this.head.children].filter((cell) => cell.offsetParent).length || COLUMNS.length + 2;
    const gap = (rows) => spacer(rows, columns);
    const rows = [];
    for (let at = first; at < last; at++) rows.push(this.row(found[at], at, words, columns));
    this.table.setAttribute("aria-rowcount", String(found.length + 1));
    this.body.replaceChildren(gap(first), ...rows, gap(found.length - last));
    if (!found.length) this.body.replaceChildren(el("tr", {}, el("td", { class: "nothing", colspan: columns }, "No row is like that. Take a filter away.")));
    if (hadFocus) (this.link(this.active) ?? this.scroller).focus({ preventScroll: true });
  }

  row(item, at, words, columns) {
    const link = el("a", { href: address(item.kept ? "row" : "lost", item.id), tabindex: at === this.active ? "0" : "-1", "data-at": at, title: item.id }, marked(item.id, words));
    const below = item.kept ? [item.split, item.license] : [item.stage, item.source];
    const id = el("th", { scope: "row", class: "id" }, link, el("small", {}, below.join(" · ")));
    const attributes = { "aria-rowindex": at + 2, class: item.kept ? "kept" : "lost" };
    if (!item.kept) {
      const twin = item.twin && this.release.rowOf.has(addressed(item.twin)) ? el("a", { href: address("row", item.twin), tabindex: "-1" }, item.twin) : null;
      const what = el("td", { class: "what", colspan: columns - 1 }, el("span", { class: "first" }, this.release.reasons[item.reason] ?? item.reason, twin && [" → ", twin]), el("small", {}, marked(item.detail || "no more is known", words)));
      return el("tr", attributes, id, what);
    }
    const description = snippet(item, words) ?? (item.description ? marked(item.description, words) : el("i", {}, "no description"));
    const what = el("td", { class: "what" }, el("code", { class: "first" }, python(item.header)), el("small", {}, description));
    return el("tr", attributes, id, what, COLUMNS.map((column) => cell(item, column)));
  }

  link(at) {
    return this.body.querySelector(`a[data-at="${at}"]`);
  }

  /** Move the focus to a row, wherever it is. */
  focusRow(at) {
    this.active = Math.max(0, Math.min(at, this.result.found.length - 1));
    const top = this.active * ROW_HEIGHT;
    const room = this.scroller.clientHeight - this.head.offsetHeight - ROW_HEIGHT;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top > this.scroller.scrollTop + room) this.scroller.scrollTop = top - room;
    this.draw();
    this.link(this.active)?.focus({ preventScroll: true });
  }

  key(event) {
    if (event.target.closest("thead")) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 2);
    const end = this.result.found.length - 1;
    const to = { ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page, Home: 0, End: end }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (to < 0) this.query.focus();
    else this.focusRow(to);
  }

  click(event) {
    if (event.target.closest("a, button")) return;
    const link = event.target.closest("tbody tr")?.querySelector("a[data-at]");
    if (link && !String(getSelection())) link.click();
  }

  /** Stand where the reader left the list, at the item last looked at. */
  restore() {
    this.scroller.scrollTop = this.scrolled;
    this.focusRow(this.active);
  }
}

function spacer(rows, columns) {
  const cell = el("td", { colspan: columns });
  cell.style.height = `${rows * ROW_HEIGHT}px`;
  return el("tr", { class: "gap", "aria-hidden": "true", hidden: !rows }, cell);
}

function cell(item, { key, class: kind }) {
  const value = item[key];
  if (!MEASURES[key].share) return el("td", { class: `n ${kind}` }, key === "survivors" && !value ? "·" : count(value), key === "survivors" && item.gaps > 0 && el("b", { class: "gap-mark", title: `${counted(item.gaps, "gap")} in the tests` }, " !", hidden("with gaps in the tests")));
  return el("td", { class: `n ${kind}` }, percent(value), bar(value, value < 1 ? "part" : "whole"));
}

/** The text as nodes, with every word of a search marked. */
function marked(text, words) {
  if (!words.length) return text;
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return text;
  const nodes = [];
  let at = 0;
  while (at < text.length) {
    const hits = words.map((word) => [lower.indexOf(word, at), word]).filter(([start]) => start >= 0);
    if (!hits.length) break;
    const [start, word] = hits.reduce((best, hit) => (hit[0] < best[0] ? hit : best));
    nodes.push(text.slice(at, start), el("mark", {}, text.slice(start, start + word.length)));
    at = start + word.length;
  }
  return [...nodes, text.slice(at)];
}

/** The line of the code that a word of the search is in, if id and description lack it. */
function snippet(item, words) {
  const seen = `${item.id}\n${item.description ?? ""}`.toLowerCase();
  const word = words.find((each) => !seen.includes(each));
  const line = word && item.code.split("\n").find((each) => each.toLowerCase().includes(word));
  return line ? el("code", {}, marked(line.trim(), words)) : null;
}
