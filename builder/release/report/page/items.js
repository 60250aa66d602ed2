// One line of the list.

const COLUMNS = [
  { key: "arity", head: "params", class: "narrow" },
  { key: "lines", head: "lines", class: "narrow" },
  { key: "tests", head: "tests", class: "narrow" },
  { key: "branchCoverage", head: "branches", class: "share", worst: "low" },
  { key: "mutationScore", head: "mutation", class: "share", worst: "low" },
  { key: "contextScore", head: "context", class: "share", worst: "low" },
  { key: "survivors", head: "alive", class: "narrow" },
];

/** The line of an item; its link takes the focus of the whole line. */
function itemRow(release, item, at, words, columns) {
  const link = el(
    "a",
    {
      href: address(item.kept ? "row" : "lost", item.id),
      tabindex: "-1",
      "data-at": at,
      title: item.id,
    },
    marked(item.id, words),
  );
  const below = item.kept ? [item.split, item.license] : [item.stage, item.source];
  const id = el("th", { scope: "row", class: "id" }, link, el("small", {}, below.join(" · ")));
  const attributes = { "aria-rowindex": at + 2, class: item.kept ? "kept" : "lost" };
  if (!item.kept) {
    const twin =
      item.twin && release.rowOf.has(addressed(item.twin))
        ? el("a", { href: address("row", item.twin), tabindex: "-1" }, item.twin)
        : null;
    const what = el(
      "td",
      { class: "what", colspan: columns - 1 },
      el(
        "span",
        { class: "first" },
        release.reasons[item.reason] ?? item.reason,
        twin && [" → ", twin],
      ),
      el("small", {}, marked(item.detail || "no more is known", words)),
    );
    return el("tr", attributes, id, what);
  }
  const description =
    snippet(item, words) ??
    (item.description ? marked(item.description, words) : el("i", {}, "no description"));
  const what = el(
    "td",
    { class: "what" },
    el("code", { class: "first" }, python(item.header)),
    el("small", {}, description),
  );
  return el(
    "tr",
    attributes,
    id,
    what,
    COLUMNS.map((column) => cell(item, column)),
  );
}

function cell(item, { key, class: kind }) {
  const value = item[key];
  if (!MEASURES[key].share)
    return el(
      "td",
      { class: `n ${kind}` },
      key === "survivors" && !value ? "·" : count(value),
      key === "survivors" &&
        item.gaps > 0 &&
        el(
          "b",
          { class: "gap-mark", title: `${counted(item.gaps, "gap")} in the tests` },
          " !",
          hidden("with gaps in the tests"),
        ),
    );
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
    const hits = words
      .map((word) => [lower.indexOf(word, at), word])
      .filter(([start]) => start >= 0);
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
