// Code with what the tests ran of it.

const STATES = {
  run: { sign: "", words: "" },
  partly: { sign: "~", words: "a way from here is never taken: " },
  missed: { sign: "!", words: "never run: " },
  dead: { sign: "×", words: "never run, believed to be dead: " },
};

function wayWords(start, end) {
  return end > 0 ? `line ${end}` : "the way out";
}

/** For each line its state and the branch arcs that leave it. */
function lineStates(details) {
  const ways = Map.groupBy(details.branches, ([start]) => start);
  const [run, missing, dead] = ["runLines", "missingLines", "deadLines"].map(
    (key) => new Set(details[key]),
  );
  return (number) => {
    const arcs = ways.get(number) ?? [];
    let state = run.has(number) ? "run" : null;
    if (arcs.some(([, , how]) => how !== "taken")) state = "partly";
    if (missing.has(number)) state = dead.has(number) ? "dead" : "missed";
    return { state, arcs };
  };
}

function way([start, end, how]) {
  const words = { taken: "taken", missed: "never taken", dead: "believed dead" }[how];
  const aim = end > 0 ? String(end) : "out";
  return el(
    "span",
    {
      class: `way ${how}`,
      "data-to": end > 0 ? end : null,
      title: `to ${wayWords(start, end)}: ${words}`,
    },
    hidden(` to ${wayWords(start, end)} ${words};`),
    el("span", { "aria-hidden": "true" }, `→${aim}${how === "taken" ? "" : ` ${words}`}`),
  );
}

function codeBlock(code, label, details) {
  const stateOfLine = details ? lineStates(details) : () => ({ state: null, arcs: [] });
  const lines = pythonLines(code.trimEnd()).map((nodes, index) => {
    const { state, arcs } = stateOfLine(index + 1);
    const { sign = "", words = "" } = STATES[state] ?? {};
    return el(
      "span",
      { class: `line ${state ?? ""}`, "data-line": index + 1 },
      el(
        "span",
        { class: "number", "data-number": index + 1, "data-sign": sign },
        words && hidden(words),
      ),
      el("span", { class: "text" }, nodes, "\n"),
      el("span", { class: "ways" }, arcs.map(way)),
    );
  });
  const block = el(
    "pre",
    { class: "code", tabindex: "0", role: "group", "aria-label": label },
    el("code", {}, lines),
  );
  block.addEventListener("mouseover", (event) => {
    const to = event.target.closest("[data-to]")?.dataset.to;
    for (const line of lines) line.classList.toggle("aimed", line.dataset.line === to);
  });
  block.addEventListener("mouseleave", () =>
    lines.forEach((line) => line.classList.remove("aimed")),
  );
  return block;
}

const LEGEND = [
  ["run", "run by the tests"],
  ["partly", "~ a way is never taken"],
  ["missed", "! never run"],
  ["dead", "× believed dead"],
];

/** What the marks mean that the code has. */
function codeLegend(details) {
  const stateOf = lineStates(details);
  const lines = [...details.runLines, ...details.missingLines];
  const states = new Set(lines.map((line) => stateOf(line).state));
  const marks = LEGEND.filter(([state]) => states.has(state)).map(([state, words]) =>
    el("span", {}, el("span", { class: `swatch ${state}` }), words),
  );
  const ways = details.branches.length > 0 && el("span", {}, "→3 a branch to line 3");
  return el("p", { class: "legend" }, marks, ways);
}

function missedWays(details) {
  const missed = details.branches.filter(([, , how]) => how !== "taken");
  if (!missed.length && !details.missingLines.length) return null;
  const items = missed.map(([start, end, how]) =>
    el(
      "li",
      {},
      `From line ${start} to ${wayWords(start, end)}: never taken`,
      how === "dead" && [", ", el("b", { class: "dead" }, "believed to be dead")],
    ),
  );
  return el(
    "div",
    { class: "missed-ways" },
    el("h3", {}, "Never taken"),
    el("ul", {}, items),
    details.whyDead && el("p", { class: "why" }, `Why dead: ${details.whyDead}.`),
  );
}

/** A difference of lines, with the part that differs between a line and its successor marked. */
function difference(text) {
  const lines = text.split("\n");
  return el(
    "pre",
    { class: "diff", tabindex: "0" },
    lines.map((line, at) => {
      const old = line.startsWith("-");
      const other = old ? lines[at + 1] : lines[at - 1];
      const paired =
        other &&
        line[0] !== other[0] &&
        !(old && lines[at + 2]?.startsWith("+")) &&
        lines.length === 2;
      const kind = old ? "removed" : line.startsWith("+") ? "added" : "";
      const sign = kind ? hidden(kind === "removed" ? "before: " : "after: ") : null;
      return el(
        "span",
        { class: kind },
        sign,
        paired ? differing(line, other) : line,
        at < lines.length - 1 && "\n",
      );
    }),
  );
}

function differing(line, other) {
  let start = 1;
  while (start < Math.min(line.length, other.length) && line[start] === other[start]) start++;
  let end = 0;
  while (
    end < Math.min(line.length, other.length) - start &&
    line.at(-1 - end) === other.at(-1 - end)
  )
    end++;
  const stop = line.length - end;
  return [
    line.slice(0, start),
    stop > start && el("em", {}, line.slice(start, stop)),
    line.slice(stop),
  ];
}
