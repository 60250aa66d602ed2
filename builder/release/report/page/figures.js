// The figures of a row, and where it is from.

function figure(name, value, remark, share = null) {
  return el(
    "div",
    {},
    el("dt", {}, name),
    el("dd", {}, value, share, remark && el("small", {}, remark)),
  );
}

function figuresOf(row, details) {
  const { statements, arcs, difficulty, killable, killed, killedByContext, accepts } = details;
  const dead = ({ all, live }) => all > live && `${all - live} more believed to be dead`;
  const unreached =
    arcs.reached < arcs.all && `${counted(arcs.reached, "arc")} reached by any input`;
  const share = (part, all) => `${count(part)} of ${count(all)}`;
  const figures = [
    arcs.all
      ? figure(
          "branch arcs",
          share(arcs.covered, arcs.live),
          dead(arcs) || unreached,
          shareBar(row.branchCoverage),
        )
      : figure("branch arcs", "no branch"),
    figure(
      "statements",
      share(statements.covered, statements.live),
      dead(statements),
      shareBar(row.statementCoverage),
    ),
  ];
  if (row.mutants) {
    const equivalent = row.mutants - killable;
    figures.push(
      figure(
        "mutants killed",
        share(killed, killable),
        equivalent > 0 && `${count(equivalent)} more probably equivalent`,
        shareBar(row.mutationScore),
      ),
      figure(
        "by the context alone",
        share(killedByContext, killable),
        null,
        shareBar(row.contextScore, true),
      ),
    );
  } else figures.push(figure("mutants killed", "there are none"));
  if (difficulty) {
    const { rarest_branch_rate: rarest, outcome_entropy: entropy } = difficulty;
    figures.push(
      figure(
        "rarest branch arc",
        percent(rarest),
        "of random inputs take it",
        shareBar(rarest, true),
      ),
      figure("entropy of outcomes", `${entropy.toFixed(2)} bits`),
      figure(
        "rivals",
        share(difficulty.agreeing_rivals, difficulty.rivals),
        "other methods that fit the context",
      ),
    );
  }
  const words = accepts.map((each) => el("code", {}, each));
  figures.push(figure("parameters", row.arity, words.length > 0 && words));
  return el("dl", { class: "figures" }, figures);
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
