// Where the rows went, as a river: sources at the left, stages, and what is left at the right.

const RIVER = {
  width: 1160,
  left: 84,
  right: 84,
  top: 50,
  height: 300,
  node: 10,
  gap: 28,
  line: 15,
  letter: 6.6,
};

function ribbon(x0, y0, x1, y1, thickness, attributes) {
  const middle = (x0 + x1) / 2;
  const path =
    `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}` +
    `V${y1 + thickness}C${middle} ${y1 + thickness} ${middle} ${y0 + thickness} ${x0} ${y0 + thickness}Z`;
  return svg("path", { ...attributes, d: path });
}

/** The river. Its words for those who do not see it are the table of reasons. */
function river(overview) {
  const { funnel } = overview;
  const share = ({ kept, rows }) => kept / rows;
  // Whoever loses most flows at the bottom, so that what it loses crosses nobody's way.
  const sources = Object.keys(funnel.sources).sort(
    (a, b) => share(funnel.sources[b]) - share(funnel.sources[a]),
  );
  const stages = losingStages(funnel, sources);
  const rowsIn = sources.map((source) => funnel.sources[source].rows);
  const scale = RIVER.height / Math.max(sum(rowsIn), 1);
  const step = (RIVER.width - RIVER.left - RIVER.right) / (stages.length + 1);
  const columnAt = (column) => RIVER.left + column * step;
  const ribbons = svg("g", { class: "ribbons" });
  const nodes = svg("g");
  let deepest = RIVER.top + RIVER.height + 4;

  const stack = (numbers, x, y) => {
    const starts = [];
    numbers.forEach((number, source) => {
      starts.push(y);
      const size = number * scale;
      if (number) {
        const place = { x, y, width: RIVER.node, height: Math.max(size, 0.75) };
        nodes.append(svg("rect", { ...place, class: `source-${source % 6}` }));
      }
      y += size;
    });
    return starts;
  };
  const flow = (numbers, from, x0, to, x1, kind) => {
    numbers.forEach((number, source) => {
      if (!number) return;
      const thickness = Math.max(number * scale, 0.75);
      const title = svg("title", {}, `${sources[source]}: ${count(number)}`);
      const shape = ribbon(x0, from[source], x1, to[source], thickness, {
        class: `${kind} source-${source % 6}`,
      });
      shape.append(title);
      ribbons.append(shape);
    });
  };
  const room = Math.floor(step / RIVER.letter);
  const cut = (text) => (text.length > room ? `${text.slice(0, room - 1)}…` : text);
  const word = (x, y, text, kind = "", anchor = "start") =>
    svg("text", { x, y, class: kind, "text-anchor": anchor }, text);

  let starts = stack(rowsIn, columnAt(0), RIVER.top);
  nodes.append(
    word(columnAt(0), 16, "read", "stage"),
    word(columnAt(0), 34, count(sum(rowsIn)), "number"),
  );
  sources.forEach((source, at) => {
    const y = starts[at] + (rowsIn[at] * scale) / 2 + 4;
    nodes.append(word(columnAt(0) - 8, y, source, "source", "end"));
  });

  stages.forEach((each, at) => {
    const x = columnAt(at + 1);
    const before = columnAt(at) + RIVER.node;
    const floor = RIVER.top + sum(each.kept) * scale + RIVER.gap;
    const keptAt = stack(each.kept, x, RIVER.top);
    const lostAt = stack(each.lost, x, floor);
    flow(each.kept, starts, before, keptAt, x, "kept");
    const lostFrom = starts.map((y, source) => y + each.kept[source] * scale);
    flow(each.lost, lostFrom, before, lostAt, x, "lost");
    starts = keptAt;

    nodes.append(word(x, 16, each.stage, "stage"), word(x, 34, count(sum(each.kept)), "number"));
    const under = floor + sum(each.lost) * scale + 17;
    nodes.append(word(x, under, `−${count(sum(each.lost))}`, "loss"));
    each.reasons.slice(0, 4).forEach(([reason, number], line) => {
      const link = svg("a", { href: address("reason", reason), tabindex: "-1" });
      link.append(
        word(
          x,
          under + (line + 1.1) * RIVER.line,
          cut(`${count(number)} ${reason.replaceAll("_", " ")}`),
          "reason",
        ),
      );
      nodes.append(link);
    });
    if (each.reasons.length > 4) {
      const more = `${each.reasons.length - 4} more below`;
      nodes.append(word(x, under + 5.1 * RIVER.line, more, "more"));
    }
    deepest = Math.max(deepest, under + (Math.min(each.reasons.length, 5) + 1) * RIVER.line);
  });

  const end = columnAt(stages.length + 1);
  const last = columnAt(stages.length) + RIVER.node;
  const kept = sources.map((source) => funnel.sources[source].kept);
  const splits = [
    ...new Set(sources.map((source) => overview.sources[source]?.split ?? "")),
  ].sort();
  let y = RIVER.top;
  for (const split of splits) {
    const members = kept.map((number, at) =>
      (overview.sources[sources[at]]?.split ?? "") === split ? number : 0,
    );
    const ends = stack(members, end, y);
    flow(members, starts, last, ends, end, "kept");
    const size = sum(members) * scale;
    const link = svg("a", { href: `#rows?split=${split}`, tabindex: "-1" });
    link.append(
      word(end + RIVER.node + 8, y + size / 2 - 3, split, "split"),
      word(end + RIVER.node + 8, y + size / 2 + 15, count(sum(members)), "number"),
    );
    if (sum(members)) nodes.append(link);
    y += Math.max(size, 36) + RIVER.gap / 2;
  }
  nodes.append(word(end, 16, "kept", "stage"), word(end, 34, count(sum(kept)), "number"));
  const box = `0 0 ${RIVER.width} ${Math.ceil(deepest)}`;
  return svg("svg", { viewBox: box, class: "river", "aria-hidden": "true" }, ribbons, nodes);
}
