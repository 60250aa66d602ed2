// Which view an address names, and what holds for the whole page.

const THEMES = ["auto", "light", "dark"];
const main = document.getElementById("main");

function titled(title) {
  return `${title} · PAU release`;
}

function notice(...content) {
  main.replaceChildren(el("p", { class: "notice", role: "alert" }, content));
}

function themed(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent = `Theme: ${theme}`;
}

function watchTheme() {
  const key = "pau-report-theme";
  let theme = "auto";
  try {
    theme = THEMES.find((each) => each === localStorage.getItem(key)) ?? theme;
  } catch {
    // A browser may refuse to remember anything for a file; the switch works all the same.
  }
  themed(theme);
  document.getElementById("theme").addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    themed(theme);
    announce(`Theme: ${theme}`);
    try {
      localStorage.setItem(key, theme);
    } catch {
      // As above.
    }
  });
}

class Page {
  constructor(release) {
    this.release = release;
    this.list = new ListView(release);
    this.scrolls = new Map();
    this.turn = 0;
  }

  start() {
    history.scrollRestoration = "manual";
    addEventListener("hashchange", () => this.route());
    addEventListener("keydown", (event) => this.key(event));
    const keepPlace = () => this.scrolls.set(location.hash, scrollY);
    addEventListener("scroll", keepPlace, { passive: true });
    // A click may leave the view before the news of the last scrolling comes.
    addEventListener("click", keepPlace, { capture: true });
    document.getElementById("skip").addEventListener("click", (event) => {
      event.preventDefault();
      main.focus();
    });
    return this.route();
  }

  /** Show the view that the address names. */
  async route() {
    const turn = ++this.turn;
    this.list.forget();
    const [path, parameters = ""] = location.hash.slice(1).split(/\?(.*)/s);
    const [view, ...parts] = path.split("/");
    let id;
    try {
      id = parts.map(decodeURIComponent).join("/");
    } catch {
      id = null;
    }
    const element = await this.view(view, id, new URLSearchParams(parameters));
    if (turn !== this.turn) return;
    if (element) this.show(element, view);
    else
      notice(
        "Nothing in this release has the address ",
        el("code", {}, location.hash),
        ". ",
        el("a", { href: "#" }, "Go to the overview."),
      );
  }

  async view(view, id, parameters) {
    const { release, list } = this;
    if (view === "") return (this.overview ??= overviewPage(release));
    if (id === null) return null;
    if (view === "rows" || view === "reason") {
      const state = stateOf(view === "reason" ? id : "", parameters);
      this.same = this.opened && addressOf(state) === addressOf(list.state);
      this.opened = true;
      if (!this.same) list.set(state);
      return list.element;
    }
    if (view === "row" && release.rowOf.has(id)) {
      const at = release.rowOf.get(id);
      const row = release.rows[at];
      this.at(row);
      return rowPage(release, list, row, await release.details(at));
    }
    if (view === "lost" && release.lostOf.has(id)) {
      const lost = release.lostOf.get(id);
      this.at(lost[0]);
      return lostPage(release, list, lost);
    }
    return null;
  }

  /** Let the list stand at an item, so that the way back leads to it. */
  at(item) {
    const place = this.list.found.indexOf(item);
    if (place >= 0) this.list.table.active = place;
  }

  show(element, view) {
    const isList = element === this.list.element;
    const returned = history.state?.seen === true;
    if (!returned) history.replaceState({ seen: true }, "");
    const scroll = returned ? (this.scrolls.get(location.hash) ?? 0) : 0;
    main.replaceChildren(element);
    document.body.classList.toggle("browsing", isList);
    for (const [id, views] of [
      ["to-overview", [""]],
      ["to-rows", ["rows", "reason", "row", "lost"]],
    ]) {
      const link = document.getElementById(id);
      if (views.includes(view))
        link.setAttribute("aria-current", view === "row" || view === "lost" ? "true" : "page");
      else link.removeAttribute("aria-current");
    }
    const title = isList ? this.list.name() : element.querySelector("h1").textContent;
    document.title = titled(title);
    if (isList) {
      this.list.table.draw();
      if (this.searching) this.list.query.focus();
      else if (this.same) this.list.table.restore();
      else this.list.title.focus({ preventScroll: true });
      this.searching = false;
      return;
    }
    scrollTo(0, scroll);
    if (this.shown) element.querySelector("h1").focus({ preventScroll: true });
    this.shown = true;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
      return;
    const typing = event.target.closest?.("input, select, textarea, pre, .scroll");
    if (event.key === "/" && !event.target.closest?.("input, textarea")) {
      event.preventDefault();
      this.searching = !this.list.element.isConnected;
      if (this.searching) location.hash = addressOf(this.list.state);
      else this.list.query.focus();
      return;
    }
    if (typing && event.key !== "Escape") return;
    const link = main.querySelector(`.steps a[data-key="${event.key}"]`);
    if (link) {
      event.preventDefault();
      link.click();
    }
  }
}

async function begin() {
  watchTheme();
  if (
    typeof DecompressionStream === "undefined" ||
    !Map.groupBy ||
    !String.prototype.toWellFormed
  ) {
    notice(
      "This browser is too old to unpack the rows that are in this page. Any Chrome, Edge, Firefox or Safari since 2024 can; so does ",
      el("code", {}, "pau-build show"),
      ", a row at a time.",
    );
    return;
  }
  try {
    await new Page(await Release.open()).start();
    performance.mark("usable");
  } catch (error) {
    notice(
      `The rows in this page cannot be unpacked (${error.message}). The file may have been cut short: copy it again, or write it anew with pau-build report.`,
    );
    throw error;
  }
}

begin();
