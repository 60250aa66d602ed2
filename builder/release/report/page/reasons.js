// Where the rows went, as a table: each figure leads to its rows.

/** Stages that lost a row, each with its loss by source and its reasons, the largest first. */
function losingStages(funnel, sources = Object.keys(funnel.sources)) {
  const stages = funnel.sources[sources[0]]?.stages.map((step) => step.stage) ?? [];
  return stages
    .map((stage, at) => {
      const steps = sources.map((source) => funnel.sources[source].stages[at]);
      const reasons = new Map();
      for (const step of steps) {
        for (const [reason, number] of Object.entries(step.rejected)) {
          reasons.set(reason, (reasons.get(reason) ?? 0) + number);
        }
      }
      return {
        stage,
        kept: steps.map((step) => step.kept),
        lost: steps.map((step) => step.entered - step.kept),
        reasons: [...reasons].sort((a, b) => b[1] - a[1]),
      };
    })
    .filter((each) => each.reasons.length);
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
