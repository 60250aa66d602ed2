// The view of one row, and of one that was lost.

const LONG_VALUE = 500;
const LEGEND = [
  ["run", "run by the tests"],
  ["partly", "~ a way is never taken"],
  ["missed", "! never run"],
  ["dead", "× believed dead"],
];

function section(id, title, remark, ...content) {
  return el(
    "section",
    { "aria-labelledby": id },
    el("h2", { id }, title, remark && el("small", {}, remark)),
    content,
  );
}

/** A value as Python; a long one is folded. */
function value(text) {
  if (text.length <= LONG_VALUE) return el("code", { class: "value" }, python(text));
  return el(
    "details",
    { class: "long" },
    el(
      "summary",
      {},
      el("code", {}, text.slice(0, 120), " …"),
      el("small", {}, ` all ${count(text.length)} characters`),
    ),
    el("code", { class: "value" }, text),
  );
}

function call(input) {
  return `test_func${input.endsWith(",)") ? `${input.slice(0, -2)})` : input}`;
}

function examples(list, label) {
  return el(
    "table",
    { class: "examples", "aria-label": label },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ["", "call", "output", "origin"].map((name) =>
          el("th", { scope: "col" }, name || hidden("number")),
        ),
      ),
    ),
    el(
      "tbody",
      {},
      list.map(([input, output, origin, mutates], at) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, at + 1),
          el("td", { class: "call" }, value(call(input))),
          el("td", { class: "output" }, value(output)),
          el(
            "td",
            { class: "origin" },
            el("span", { class: "tag" }, origin),
            mutates && el("span", { class: "tag warn" }, "changes its arguments"),
          ),
        ),
      ),
    ),
  );
}

function survivors(details) {
  return details.survivors.map(({ line, operator, difference: text, why_equivalent: why }) =>
    el(
      "article",
      { class: `survivor ${why ? "" : "gap"}` },
      el(
        "h3",
        {},
        `Line ${line}`,
        el("span", { class: "tag" }, operator),
        el(
          "span",
          { class: why ? "tag calm" : "tag bad" },
          why ? "probably equivalent" : "a gap in the tests",
        ),
      ),
      difference(text),
      why && el("p", { class: "why" }, `${why}.`),
    ),
  );
}

function figure(name, value, share, remark) {
  return el(
    "div",
    {},
    el("dt", {}, name),
    el(
      "dd",
      {},
      value,
      typeof share === "number" && bar(share, share < 1 ? "part" : "whole"),
      remark && el("small", {}, remark),
    ),
  );
}

function figuresOf(row, details) {
  const { statements, arcs, difficulty } = details;
  const dead = (all) =>
    all.all > all.live ? `${all.all - all.live} more believed to be dead` : null;
  const equivalent = row.mutants - details.killable;
  const mutants = row.mutants > 0;
  const unreached =
    !details.whyDead && arcs.reached < arcs.all
      ? `${counted(arcs.reached, "arc")} reached by any input`
      : null;
  return el(
    "dl",
    { class: "figures" },
    figure(
      "branch arcs",
      arcs.all ? `${arcs.covered} of ${arcs.live}` : "no branch",
      arcs.all ? row.branchCoverage : null,
      dead(arcs) ?? unreached,
    ),
    figure(
      "statements",
      `${statements.covered} of ${statements.live}`,
      row.statementCoverage,
      dead(statements),
    ),
    mutants
      ? figure(
          "mutants killed",
          `${details.killed} of ${details.killable}`,
          row.mutationScore,
          equivalent > 0 && `${equivalent} more probably equivalent`,
        )
      : figure("mutants killed", "there are none"),
    mutants &&
      figure(
        "by the context alone",
        `${details.killedByContext} of ${details.killable}`,
        row.contextScore,
      ),
    difficulty &&
      figure(
        "rarest branch arc",
        `${percent(difficulty.rarest_branch_rate)} of random inputs`,
        difficulty.rarest_branch_rate,
      ),
    difficulty && figure("entropy of outcomes", `${difficulty.outcome_entropy.toFixed(2)} bits`),
    difficulty &&
      figure(
        "rivals",
        `${count(difficulty.agreeing_rivals)} of ${count(difficulty.rivals)}`,
        null,
        "other methods that fit the context",
      ),
    figure(
      "parameters",
      row.arity,
      null,
      details.accepts.map((words) => el("code", {}, words)),
    ),
  );
}

function provenance(release, row, details) {
  const repeats = release.repeatsOf.get(row.id) ?? [];
  const fact = (name, ...content) => el("div", {}, el("dt", {}, name), el("dd", {}, content));
  return [
    el(
      "dl",
      { class: "facts" },
      fact(
        "corpus",
        details.link
          ? el("a", { href: details.link, rel: "noopener noreferrer" }, row.source)
          : row.source,
      ),
      fact("id there", el("code", {}, details.sourceId)),
      details.variant && fact("text", details.variant),
      fact("version", el("code", {}, details.revision)),
      fact("licence", row.license),
      fact("split", row.split),
    ),
    repeats.length > 0 &&
      el(
        "details",
        { open: repeats.length <= 8 },
        el("summary", {}, `Stands for ${counted(repeats.length, "row")} more`),
        el(
          "ul",
          { class: "repeats" },
          repeats.map((lost) =>
            el(
              "li",
              {},
              el("a", { href: address("lost", lost.id) }, lost.id),
              el("small", {}, lost.detail.replace(/^duplicate_of \S+: /, "")),
            ),
          ),
        ),
      ),
  ];
}

function steps(view, row) {
  const { found } = view;
  const at = found.indexOf(row);
  const link = (item, label, key, sign) =>
    item?.id
      ? el(
          "a",
          {
            class: "step",
            href: address(item.kept ? "row" : "lost", item.id),
            "data-key": key,
            "aria-label": `${label}: ${item.id}`,
            title: `${label} (${sign})`,
          },
          sign,
        )
      : el("span", { class: "step", "aria-hidden": "true" }, sign);
  return el(
    "nav",
    { class: "steps", "aria-label": "Rows around this one" },
    el(
      "a",
      { href: addressOf(view.state), class: "back", "data-key": "Escape" },
      "↑ ",
      view.name(),
    ),
    at >= 0 && el("span", { class: "place" }, `${count(at + 1)} of ${count(found.length)}`),
    at >= 0 && link(found[at - 1], "previous", "ArrowLeft", "←"),
    at >= 0 && link(found[at + 1], "next", "ArrowRight", "→"),
  );
}

function described(row, details) {
  const match = details.descriptionCodeMatch;
  if (row.description === null) return el("p", { class: "description none" }, "No description.");
  return [
    el("p", { class: "description" }, row.description),
    el(
      "p",
      { class: "why" },
      `Origin: ${row.descriptionOrigin}.`,
      typeof match === "number" &&
        ` Code that a model wrote from it agrees on ${percent(match)} of the tests.`,
    ),
  ];
}

function rowPage(release, view, row, details) {
  const { context, tests } = details;
  return el(
    "div",
    { class: "page" },
    steps(view, row),
    el(
      "header",
      { class: "row-head" },
      el("h1", { tabindex: "-1" }, row.id),
      el("code", { class: "header" }, python(row.header)),
      el(
        "p",
        {},
        [row.split, row.license, details.variant && `${details.variant} text`]
          .filter(Boolean)
          .map((text) => el("span", { class: "tag" }, text)),
      ),
    ),
    el(
      "div",
      { class: "columns" },
      el(
        "div",
        { class: "story" },
        section("description", "Description", "", described(row, details)),
        section(
          "code",
          "Code",
          "",
          codeBlock(row.code, "Code", details),
          el(
            "p",
            { class: "legend" },
            LEGEND.map(([kind, words]) =>
              el("span", {}, el("span", { class: `swatch ${kind}` }), words),
            ),
            el("span", {}, "→3 a branch to line 3"),
          ),
          missedWays(details),
        ),
        section("context", "Context", "what a model is shown", examples(context, "Context")),
        section("tests", "Tests", counted(tests.length, "input"), examples(tests, "Tests")),
        section(
          "mutants",
          "Surviving mutants",
          details.survivors.length
            ? `${count(details.survivors.length)} of ${count(row.mutants)} pass every test`
            : "",
          details.survivors.length
            ? el("div", { class: "survivors" }, survivors(details))
            : el(
                "p",
                { class: "why" },
                row.mutants
                  ? `None of ${count(row.mutants)} passes the tests.`
                  : "No mutant was made of this method.",
              ),
        ),
        section(
          "validator",
          "Validator",
          "",
          el(
            "details",
            {},
            el("summary", {}, "Which arguments it refuses"),
            codeBlock(details.validator, "Validator"),
          ),
        ),
      ),
      el(
        "aside",
        { class: "side", "aria-label": "Figures and provenance" },
        section("figures", "Figures", "", figuresOf(row, details)),
        section("provenance", "Provenance", "", provenance(release, row, details)),
      ),
    ),
  );
}

/** What is known of rows that were lost under one id: a repeated row has the id of the first. */
function lostPage(release, view, all) {
  const articles = all.map((lost) => {
    const at = lost.twin === null ? undefined : release.rowOf.get(addressed(lost.twin));
    const twin = at === undefined ? null : release.rows[at];
    const known =
      lost.twin !== null && lost.twin !== lost.id && release.lostOf.has(addressed(lost.twin));
    return el(
      "article",
      { class: "lost" },
      el("p", { class: "lead" }, release.reasons[lost.reason]),
      el(
        "dl",
        { class: "facts" },
        el("div", {}, el("dt", {}, "stage"), el("dd", {}, lost.stage)),
        el(
          "div",
          {},
          el("dt", {}, "reason"),
          el("dd", {}, el("a", { href: address("reason", lost.reason) }, lost.reason)),
        ),
        el("div", {}, el("dt", {}, "detail"), el("dd", {}, lost.detail || "none")),
        el("div", {}, el("dt", {}, "corpus"), el("dd", {}, lost.source)),
        el("div", {}, el("dt", {}, "id there"), el("dd", {}, el("code", {}, lost.sourceId))),
        twin || known
          ? el(
              "div",
              {},
              el("dt", {}, "repeats"),
              el("dd", {}, el("a", { href: address(twin ? "row" : "lost", lost.twin) }, lost.twin)),
            )
          : null,
      ),
      twin &&
        section(
          "twin",
          "The row that stands for it",
          twin.id,
          twin.description && el("p", { class: "description" }, twin.description),
          codeBlock(twin.code, `Code of ${twin.id}`),
        ),
    );
  });
  return el(
    "div",
    { class: "page" },
    steps(view, all[0]),
    el(
      "header",
      { class: "row-head" },
      el("h1", { tabindex: "-1" }, all[0].id),
      el("p", {}, el("span", { class: "tag bad" }, "not in the release")),
    ),
    articles,
    el(
      "p",
      { class: "why" },
      "A release holds the code of its own rows only; the corpus has that of the others.",
    ),
  );
}
