// How the rows are distributed; each bar leads to its rows.

/** A distribution as a list of links, a bar for each bin and within it a part for each split. */
function distribution(release, key, remark) {
  const splits = Object.keys(release.overview.figures);
  const values = release.rows.filter((row) => typeof row[key] === "number");
  const counts = bins(key).map((bin) =>
    splits.map(
      (split) => values.filter((row) => row.split === split && inBin(row[key], bin)).length,
    ),
  );
  const ranges = bins(key);
  const first = counts.findIndex((each) => sum(each));
  const last = counts.findLastIndex((each) => sum(each));
  const most = Math.max(...counts.map(sum), 1);
  const items = ranges.slice(first, last + 1).map((bin, at) => {
    const parts = counts[first + at];
    const total = sum(parts);
    const label = el("span", { class: "label" }, binWords(key, bin));
    const size = el(
      "span",
      { class: "bar", "aria-hidden": "true" },
      parts.map((number, split) => {
        const part = el("span", { class: `fill split-${split}` });
        part.style.inlineSize = `${(number / most) * 100}%`;
        if (number) part.style.minInlineSize = "2px";
        return part;
      }),
    );
    const number = el("span", { class: "n" }, count(total), hidden(total === 1 ? " row" : " rows"));
    if (!total) return el("li", {}, el("span", { class: "row" }, label, size, number));
    const state = { ...everything(), ranges: { [key]: bin } };
    return el("li", {}, el("a", { class: "row", href: addressOf(state) }, label, size, number));
  });
  if (!values.length) return null;
  return el(
    "figure",
    { class: "card" },
    el("figcaption", {}, el("h3", {}, MEASURES[key].label), el("p", {}, remark)),
    el("ol", { class: "bins" }, items),
  );
}

function arity(release) {
  const { figures, publishedArity } = release.overview;
  const ours = new Map();
  for (const { arity: numbers } of Object.values(figures)) {
    for (const [key, number] of Object.entries(numbers))
      ours.set(key, (ours.get(key) ?? 0) + number);
  }
  const rows = sum([...ours.values()]);
  const published = sum(Object.values(publishedArity));
  const keys = [...new Set([...ours.keys(), ...Object.keys(publishedArity)])].sort((a, b) => a - b);
  const line = (number, all, kind) => [
    el("td", { class: "n" }, number ? count(number) : "·"),
    el("td", { class: "n" }, number ? percent(number / all) : ""),
    el("td", { class: "wide" }, bar(number / all, kind)),
  ];
  return el(
    "figure",
    { class: "card" },
    el(
      "figcaption",
      {},
      el("h3", {}, "Parameters"),
      el("p", {}, "Beside the published test split, as its authors state it."),
    ),
    el(
      "table",
      { class: "beside" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("td"),
          el("th", { scope: "colgroup", colspan: 3 }, "this release"),
          el("th", { scope: "colgroup", colspan: 3 }, "published"),
        ),
      ),
      el(
        "tbody",
        {},
        keys.map((key) => {
          const number = ours.get(key) ?? 0;
          const state = { ...everything(), chosen: { arity: new Set([key]) } };
          const name = number ? el("a", { href: addressOf(state) }, key) : key;
          return el(
            "tr",
            {},
            el("th", { scope: "row" }, name),
            line(number, rows, "split-1"),
            line(publishedArity[key] ?? 0, published, "published"),
          );
        }),
      ),
    ),
  );
}

function types(title, counts_of, rows) {
  const total = new Map();
  for (const counts of Object.values(counts_of)) {
    for (const [name, number] of Object.entries(counts))
      total.set(name, (total.get(name) ?? 0) + number);
  }
  const items = [...total]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([name, number]) =>
      el(
        "li",
        {},
        el(
          "span",
          { class: "row" },
          el("code", { class: "label" }, name),
          bar(number / rows, "split-1"),
          el("span", { class: "n" }, count(number), hidden(" rows")),
        ),
      ),
    );
  return el(
    "figure",
    { class: "card" },
    el(
      "figcaption",
      {},
      el("h3", {}, title),
      el("p", {}, "Rows in which a value of the type occurs."),
    ),
    el("ol", { class: "bins" }, items),
  );
}

function legend(release) {
  const splits = Object.keys(release.overview.figures);
  return el(
    "p",
    { class: "legend" },
    splits.map((split, at) => el("span", {}, el("span", { class: `swatch split-${at}` }), split)),
  );
}
