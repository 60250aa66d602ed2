// The table of the list, of whose rows only those in sight are in the tree.

const ROW_HEIGHT = 56;
/** Rows drawn above and below those in sight: while scrolling, and when a filter is waited for. */
const SPARE_ROWS = 8;
const FEW_SPARE_ROWS = 2;

class RowTable {
  /**
   * @param release where the items are from.
   * @param sortBy what to do when a column's head is pressed.
   * @param leave what to do when the reader moves up from the first row.
   */
  constructor(release, sortBy, leave) {
    this.release = release;
    this.leave = leave;
    this.found = [];
    this.words = [];
    this.active = 0;
    this.scrolled = 0;
    this.head = el("tr", { "aria-rowindex": 1 }, headCells(sortBy));
    this.body = el("tbody");
    this.table = el(
      "table",
      { class: "list", "aria-label": "Rows" },
      el("thead", {}, this.head),
      this.body,
    );
    this.element = el(
      "div",
      {
        class: "scroller",
        tabindex: "-1",
        onkeydown: (event) => this.key(event),
        onclick: (event) => this.click(event),
      },
      this.table,
    );
    this.element.addEventListener("scroll", () => this.scheduleDraw(), { passive: true });
    new ResizeObserver(() => this.scheduleDraw()).observe(this.element);
  }

  /** Show other items, from the first on; ``told``: why they were lost stands above them. */
  show(found, words, { sort, outcome }, told) {
    this.found = found;
    this.words = words;
    this.told = told;
    this.table.classList.toggle("only-lost", outcome === "lost");
    this.active = 0;
    this.scrolled = 0;
    this.element.scrollTop = 0;
    for (const cell of this.head.children) {
      if (sort.replace("-", "") !== cell.dataset.key) cell.removeAttribute("aria-sort");
      else cell.setAttribute("aria-sort", sort.startsWith("-") ? "descending" : "ascending");
    }
    this.draw(FEW_SPARE_ROWS);
  }

  scheduleDraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  /** Put the rows in sight, and some around them, into the tree. */
  draw(spare = SPARE_ROWS) {
    const { found, element } = this;
    if (element.isConnected) this.scrolled = element.scrollTop;
    const height = element.clientHeight || innerHeight;
    const first = Math.max(0, Math.floor(this.scrolled / ROW_HEIGHT) - spare);
    const end = Math.ceil((this.scrolled + height) / ROW_HEIGHT) + spare;
    const last = Math.min(found.length, end);
    const heads = [...this.head.children];
    const columns = heads.filter((cell) => cell.offsetParent).length || heads.length;
    const hadFocus = this.body.contains(document.activeElement);
    const rows = [];
    for (let at = first; at < last; at++) {
      rows.push(itemRow(this.release, found[at], at, this.words, columns, this.told));
    }
    this.table.setAttribute("aria-rowcount", String(found.length + 1));
    if (found.length) {
      const gaps = [spacer(first, columns), spacer(found.length - last, columns)];
      this.body.replaceChildren(gaps[0], ...rows, gaps[1]);
    } else this.body.replaceChildren(nothing(columns));
    this.link(this.active)?.setAttribute("tabindex", "0");
    if (hadFocus) (this.link(this.active) ?? element).focus({ preventScroll: true });
  }

  link(at) {
    return this.body.querySelector(`a[data-at="${at}"]`);
  }

  /** Move the focus to a row, wherever it is. */
  focusRow(at) {
    this.active = Math.max(0, Math.min(at, this.found.length - 1));
    const top = this.active * ROW_HEIGHT;
    const room = this.element.clientHeight - this.head.offsetHeight - ROW_HEIGHT;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top > this.element.scrollTop + room) this.element.scrollTop = top - room;
    this.draw();
    const link = this.link(this.active);
    link?.focus({ preventScroll: true });
    // In a low window the list itself may be out of sight.
    link?.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.target.closest("thead") || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT) - 2);
    const to = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: Math.max(0, this.active - page),
      Home: 0,
      End: this.found.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0) this.leave();
    else this.focusRow(to);
  }

  click(event) {
    if (event.target.closest("a, button")) return;
    const link = event.target.closest("tbody tr")?.querySelector("a[data-at]");
    if (link && !String(getSelection())) link.click();
  }

  /** Stand where the reader left the list, at the item last looked at. */
  restore() {
    this.element.scrollTop = this.scrolled;
    this.focusRow(this.active);
  }
}

function headCells(sortBy) {
  const numbers = COLUMNS.map((column) => {
    const title = `Sort by ${MEASURES[column.key].label.toLowerCase()}`;
    const button = el(
      "button",
      { type: "button", title, onclick: () => sortBy(column) },
      column.head,
    );
    return el("th", { scope: "col", class: column.class, "data-key": column.key }, button);
  });
  return [
    el("th", { scope: "col", class: "id" }, "row"),
    el("th", { scope: "col", class: "what" }, "what it is"),
    ...numbers,
  ];
}

/** An empty line as high as the rows that are not in the tree. */
function spacer(rows, columns) {
  const cell = el("td", { colspan: columns });
  cell.style.height = `${rows * ROW_HEIGHT}px`;
  return el("tr", { class: "gap", "aria-hidden": "true", hidden: !rows }, cell);
}

function nothing(columns) {
  const words = "No row is like that. Take a filter away.";
  return el("tr", {}, el("td", { class: "nothing", colspan: columns }, words));
}
