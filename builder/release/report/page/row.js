// The view of one row, and of one that was lost.

const LONG_VALUE = 500;
const FEW_SURVIVORS = 8;

function section(id, title, remark, ...content) {
  return el(
    "section",
    { "aria-labelledby": id },
    el("h2", { id }, title, remark && [" ", el("small", {}, remark)]),
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

/** Surviving mutants: the gaps of the tests in sight, many that are probably equivalent folded. */
function survivors(details, mutants) {
  const { survivors: all } = details;
  if (!mutants) return el("p", { class: "why" }, "No mutant was made of this method.");
  if (!all.length) return el("p", { class: "why" }, `None of ${count(mutants)} passes the tests.`);
  const gaps = all.filter((each) => !each.why_equivalent);
  const equivalent = all.filter((each) => each.why_equivalent);
  const folded = el(
    "details",
    { open: equivalent.length <= FEW_SURVIVORS },
    el("summary", {}, `${count(equivalent.length)} probably equivalent`),
    el("div", { class: "survivors" }, equivalent.map(survivor)),
  );
  return [
    gaps.length > 0 && el("div", { class: "survivors" }, gaps.map(survivor)),
    equivalent.length > 0 && folded,
  ];
}

function survivor({ line, operator, difference: text, why_equivalent: why }) {
  const judged = why
    ? el("span", { class: "tag calm" }, "probably equivalent")
    : el("span", { class: "tag bad" }, "a gap in the tests");
  return el(
    "article",
    { class: "survivor" },
    el("h3", {}, `Line ${line}`, el("span", { class: "tag" }, operator), judged),
    difference(text),
    why && el("p", { class: "why" }, `${why}.`),
  );
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
          codeLegend(details),
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
          survivors(details, row.mutants),
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
