// One line of the list.

const COLUMNS = [
  { key: "arity", head: "params", class: "narrow" },
  { key: "lines", head: "lines", class: "narrow" },
  { key: "tests", head: "tests", class: "narrow" },
  { key: "branchCoverage", head: "branches", class: "share", worst: "low" },
  { key: "mutationScore", head: "mutation", class: "share", worst: "low" },
  { key: "contextScore", head: "context", class: "share", worst: "low", plain: true },
  { key: "survivors", head: "alive", class: "narrow" },
];

/** The line of an item; its link takes the focus of the whole line. */
function itemRow(release, item, at, words, columns, told) {
  const link = {
    href: address(item.kept ? "row" : "lost", item.id),
    tabindex: "-1",
    "data-at": at,
    title: item.id,
  };
  const below = item.kept ? [item.split, item.license] : [item.stage, item.source];
  const id = el(
    "th",
    { scope: "row", class: "id" },
    el("a", link, marked(item.id, words)),
    el("small", {}, below.join(" · ")),
  );
  const attributes = { "aria-rowindex": at + 2, class: item.kept ? "kept" : "lost" };
  if (!item.kept) {
    const why = el(
      "td",
      { class: "what", colspan: columns - 1 },
      whyLost(release, item, words, told),
    );
    return el("tr", attributes, id, why);
  }
  const cells = COLUMNS.map((column) => cell(item, column));
  return el("tr", attributes, id, el("td", { class: "what" }, whatItDoes(item, words)), cells);
}

function whatItDoes(item, words) {
  const { description } = item;
  const shown = description ? marked(description, words) : el("i", {}, "no description");
  return [
    el("code", { class: "first" }, python(item.header)),
    el("small", {}, snippet(item, words) ?? shown),
  ];
}

/** Two lines on why an item was lost, without the reason's sentence where it was told above. */
function whyLost(release, item, words, told) {
  const at = item.twin === null ? undefined : release.rowOf.get(addressed(item.twin));
  const twin = release.rows[at];
  const link = twin && el("a", { href: address("row", twin.id), tabindex: "-1" }, twin.id);
  const detail = marked(item.detail.replace(/^duplicate_of \S+: /, ""), words);
  const lines = [
    !told && (release.reasons[item.reason] ?? item.reason),
    link ? [link, " ", detail] : item.detail ? detail : el("i", {}, "no more is known"),
    twin && (twin.description ?? el("i", {}, "no description")),
  ].filter(Boolean);
  return [el("span", { class: "first" }, lines[0]), lines.length > 1 && el("small", {}, lines[1])];
}

function cell(item, { key, class: kind, plain }) {
  const value = item[key];
  const content = { class: `n ${kind}` };
  if (MEASURES[key].share) return el("td", content, percent(value), shareBar(value, plain));
  if (key !== "survivors") return el("td", content, count(value));
  const title = `${counted(item.gaps, "gap")} in the tests`;
  const gaps = el("b", { class: "gap-mark", title }, " !", hidden(title));
  return el("td", content, value ? count(value) : "·", item.gaps > 0 && gaps);
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
