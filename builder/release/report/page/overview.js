// The release as a whole.

function tile(value, label, remark) {
  return el(
    "div",
    { class: "tile" },
    el("dt", {}, label),
    el("dd", {}, value),
    el("dd", { class: "remark" }, remark),
  );
}

function tiles(release) {
  const { figures } = release.overview;
  const all = Object.entries(figures);
  const rows = sum(all.map(([, each]) => each.rows));
  const tests = sum(release.rows.map((row) => row.tests));
  const mean = (key) => percent(sum(all.map(([, each]) => each[key] * each.rows)) / rows, 1);
  const total = (key) => sum(all.map(([, each]) => each[key]));
  const killable = total("mutants") - total("mutants_equivalent");
  return el(
    "dl",
    { class: "tiles" },
    tile(
      count(rows),
      "rows",
      all.map(([split, each]) => `${count(each.rows)} ${split}`).join(" · "),
    ),
    tile(count(tests), "tests", `${(tests / rows).toFixed(1)} a row`),
    tile(
      mean("mean_branch_coverage"),
      "branch coverage",
      `${count(total("all_arcs_covered"))} rows take every live arc`,
    ),
    tile(
      mean("mean_mutation_score"),
      "mutation score",
      `${count(total("mutants_killed"))} of ${count(killable)} mutants killed`,
    ),
    tile(
      mean("mean_context_mutation_score"),
      "by the context alone",
      "the rest is room for exploring",
    ),
    tile(
      count(total("without_description")),
      "without description",
      `${count(total("mutating"))} rows change arguments`,
    ),
  );
}

function reasonsTable(release) {
  const { funnel } = release.overview;
  const sources = Object.keys(funnel.sources);
  const stages = losingStages(funnel);
  const most = Math.max(...stages.flatMap((each) => each.reasons.map(([, number]) => number)), 1);
  const lostAt = (source, stage, reason) =>
    funnel.sources[source].stages.find((each) => each.stage === stage).rejected[reason] ?? 0;
  const stagesOf = (reason) =>
    stages.filter((each) => each.reasons.some(([other]) => other === reason));
  const rowsLost = (stage, reason, source) => {
    const chosen = { reason: new Set([reason]) };
    if (stagesOf(reason).length > 1) chosen.stage = new Set([stage]);
    if (source) chosen.source = new Set([source]);
    return addressOf({ ...everything(), outcome: "lost", chosen });
  };
  const cells = (numbers) =>
    numbers.map((number) => el("td", { class: "n by-source" }, number ? count(number) : "·"));
  const line = (label, key, kind) => {
    const numbers = sources.map((source) => funnel.sources[source][key]);
    return el(
      "tr",
      { class: kind },
      el("th", { scope: "row", colspan: 2 }, label),
      cells(numbers),
      el("td", { class: "n" }, count(sum(numbers))),
      el("td"),
    );
  };
  const bodies = stages.map(({ stage, reasons }) =>
    el(
      "tbody",
      {},
      el(
        "tr",
        { class: "group" },
        el(
          "th",
          { scope: "rowgroup", colspan: sources.length + 4 },
          "lost at ",
          el("b", {}, stage),
        ),
      ),
      reasons.map(([reason, number]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, el("a", { href: rowsLost(stage, reason) }, reason)),
          el("td", { class: "sentence" }, release.reasons[reason]),
          sources.map((source) => {
            const lost = lostAt(source, stage, reason);
            const label = `${counted(lost, "row")} of ${source} lost: ${reason}`;
            const link = {
              class: "plain-link",
              href: rowsLost(stage, reason, source),
              "aria-label": label,
            };
            return el("td", { class: "n by-source" }, lost ? el("a", link, count(lost)) : "·");
          }),
          el("td", { class: "n" }, count(number)),
          el("td", { class: "wide" }, bar(number / most, "loss")),
        ),
      ),
    ),
  );
  const head = [...sources.map((name) => [name, "n by-source"]), ["total", "n"]].map(
    ([name, kind]) => el("th", { scope: "col", class: kind }, name),
  );
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of reasons" },
    el(
      "table",
      { class: "reasons" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "reason"),
          el("th", { scope: "col" }, "what it means"),
          head,
          el("td"),
        ),
      ),
      el("tbody", {}, line("rows read", "rows", "ends")),
      bodies,
      el("tbody", {}, line("rows kept", "kept", "ends")),
    ),
  );
}

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

function origin(release) {
  const { sources, versions, settings, isolation, hashes } = release.overview;
  const rows = Object.entries(sources).map(([name, source]) =>
    el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el("a", { href: `#rows?source=${encodeURIComponent(name)}` }, name),
      ),
      el("td", {}, source.split),
      el("td", {}, source.license),
      el("td", { class: "n" }, count(source.kept)),
      el("td", { class: "n" }, count(source.rows)),
      el("td", {}, el("code", {}, source.revision)),
    ),
  );
  const head = ["source", "split", "licence", "kept", "read", "version"].map((name) =>
    el("th", { scope: "col", class: ["kept", "read"].includes(name) ? "n" : "" }, name),
  );
  const facts = [
    ...Object.entries(versions),
    ["isolation", isolation],
    ...Object.entries(settings).map(([name, value]) => [
      name.replaceAll("_", " "),
      Array.isArray(value) ? value.join(", ") || "none" : String(value ?? "none"),
    ]),
    ...Object.entries(hashes).map(([split, hash]) => [`SHA-256 of ${split}`, hash]),
  ];
  return [
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of sources" },
      el("table", { class: "plain" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
    ),
    el(
      "details",
      {},
      el("summary", {}, "Versions and settings"),
      el(
        "dl",
        { class: "facts" },
        facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
      ),
    ),
  ];
}

function overviewPage(release) {
  const rows = release.rows.length;
  const part = (id, title, ...content) =>
    el("section", { "aria-labelledby": id }, el("h2", { id }, title), content);
  const corpora = Object.keys(release.overview.sources).length;
  const read = sum(Object.values(release.overview.sources).map((source) => source.rows));
  return el(
    "div",
    { class: "page" },
    el("h1", { tabindex: "-1" }, "Python API Understanding"),
    el(
      "p",
      { class: "lead" },
      `${counted(rows, "method")}, proven and tested, out of ${counted(read, "row")} of ${counted(corpora, "corpus", "corpora")}. Every bar and every reason leads to its rows.`,
    ),
    tiles(release),
    part(
      "where",
      "Where the rows went",
      el("div", { class: "scroll river-place" }, river(release.overview)),
      reasonsTable(release),
    ),
    part(
      "how",
      "How the rows are",
      legend(release),
      el(
        "div",
        { class: "cards" },
        arity(release),
        distribution(release, "lines", "Of the anonymised method, with its helpers."),
        distribution(release, "tests", "Fewest that tell what any input told."),
        distribution(
          release,
          "branchCoverage",
          "Share of the live branch arcs that the tests take.",
        ),
        distribution(
          release,
          "mutationScore",
          "Share of the killable mutants that the tests tell from the method.",
        ),
        distribution(release, "contextScore", "Share that the two examples of the context tell."),
        distribution(release, "survivors", "Mutants that pass every test."),
        distribution(release, "entropy", "Of the outputs for random inputs."),
        distribution(
          release,
          "rarest",
          "Share of random inputs that take the arc taken least often.",
        ),
        distribution(
          release,
          "agreeingRivals",
          "Other methods that give both outputs of the context.",
        ),
        distribution(
          release,
          "descriptionMatch",
          "Tests on which code that a model wrote from the description agrees.",
        ),
        types("Types of arguments", release.overview.argumentTypes, rows),
        types("Types of outputs", release.overview.outputTypes, rows),
      ),
    ),
    part("made", "What it was made of", origin(release)),
  );
}
