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
