// Which rows are wanted: facets, ranges of measures and words; and how an address says so.

/** Each gives an item's value, if it has one, and perhaps words for the values. */
const FACETS = {
  split: { label: "Split", of: (item) => item.split },
  source: { label: "Source", of: (item) => item.source },
  stage: { label: "Lost at", of: (item) => item.stage },
  reason: { label: "Lost because", of: (item) => item.reason },
  license: { label: "Licence", of: (item) => item.license },
  arity: { label: "Parameters", of: (item) => item.kept && String(item.arity) },
  description: {
    label: "Description by",
    of: (item) => item.kept && (item.description ? item.descriptionOrigin : "none"),
  },
  mutants: {
    label: "Surviving mutants",
    of: (item) => item.kept && (item.gaps ? "gap" : item.survivors ? "equivalent" : "none"),
    words: { gap: "a gap in the tests", equivalent: "probably equivalent only" },
  },
  arcs: {
    label: "Missed arcs",
    of: (item) =>
      item.kept && (item.missedArcs > item.deadArcs ? "missed" : item.deadArcs ? "dead" : "none"),
    words: { missed: "a live arc", dead: "believed dead only" },
  },
  arguments: {
    label: "Arguments",
    of: (item) => item.kept && (item.mutates ? "changed" : "alone"),
    words: { changed: "changed by a call", alone: "left alone" },
  },
};

const TENTHS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Numbers of a row; ``edges`` begin the bins of its distribution, the last bin is open. */
const MEASURES = {
  branchCoverage: { label: "Branch coverage", edges: [0, 0.9, 0.95, 0.98, 1], share: true },
  statementCoverage: { label: "Statement coverage", edges: [0, 0.9, 0.95, 0.98, 1], share: true },
  mutationScore: {
    label: "Mutation score",
    edges: [0, 0.9, 0.92, 0.94, 0.96, 0.98, 1],
    share: true,
  },
  contextScore: { label: "Context mutation score", edges: TENTHS, share: true },
  survivors: { label: "Surviving mutants", edges: [0, 1, 2, 3, 4, 5, 10, 20] },
  tests: { label: "Tests of a suite", edges: Array.from({ length: 21 }, (_, n) => n) },
  arity: { label: "Parameters", edges: [1, 2, 3, 4, 5] },
  lines: { label: "Lines of code", edges: [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 50] },
  entropy: { label: "Entropy of outcomes", edges: [0, 1, 2, 3, 4, 5, 6, 7], unit: " bits" },
  rarest: { label: "Rarest branch", edges: TENTHS, share: true },
  descriptionMatch: { label: "Description and code agree", edges: TENTHS, share: true },
  agreeingRivals: { label: "Rivals that fit the context", edges: [0, 1, 2, 5, 10, 20, 50] },
};

function everything() {
  return { outcome: "kept", query: "", sort: "", chosen: {}, ranges: {} };
}

/** Words for the bin from ``low`` up to, but without, ``high``; ``high`` null: no end. */
function binWords(key, [low, high]) {
  const { share, unit = "", edges } = MEASURES[key];
  const say = (number) => (share ? `${Math.round(number * 100)}%` : String(number));
  if (high === null) return share && low === 1 ? "100%" : `${say(low)}${unit} or more`;
  const whole = edges.every(Number.isInteger) && !unit;
  if (whole) return high - low === 1 ? say(low) : `${say(low)}–${say(high - 1)}`;
  return `${say(low)} to <${say(high)}${unit}`;
}

function inBin(value, [low, high]) {
  return typeof value === "number" && value >= low && (high === null || value < high);
}

function bins(key) {
  const { edges } = MEASURES[key];
  return edges.map((low, at) => [low, edges[at + 1] ?? null]);
}

function valueWords(facet, value) {
  const { words = {} } = FACETS[facet];
  return Object.hasOwn(words, value) ? words[value] : value;
}

/** Words of a search: those in double quotes stay together. */
function terms(query) {
  return [...query.toLowerCase().matchAll(/"([^"]+)"?|\S+/gu)].map((match) => match[1] ?? match[0]);
}

/** Find the items that are wanted, and for each facet how many each of its values would give. */
function search(release, state) {
  const items = { kept: release.rows, lost: release.lost }[state.outcome] ?? [
    ...release.rows,
    ...release.lost,
  ];
  const facets = Object.entries(FACETS);
  const ranges = Object.entries(state.ranges);
  const words = terms(state.query);
  const counts = Object.fromEntries(facets.map(([key]) => [key, new Map()]));
  const found = [];
  for (const item of items) {
    if (!ranges.every(([key, range]) => inBin(item[key], range))) continue;
    if (words.length) {
      const haystack = release.haystack(item);
      if (!words.every((word) => haystack.includes(word))) continue;
    }
    const values = facets.map(([, facet]) => facet.of(item));
    const against = facets.filter(
      ([key], at) => state.chosen[key]?.size && !state.chosen[key].has(values[at]),
    );
    if (!against.length) found.push(item);
    facets.forEach(([key], at) => {
      // A facet counts what its own choice leaves out too: that is what choosing it would give.
      const others = against.filter(([other]) => other !== key);
      if (values[at] && !others.length) {
        counts[key].set(values[at], (counts[key].get(values[at]) ?? 0) + 1);
      }
    });
  }
  return { found: sorted(found, state.sort), counts, among: items.length };
}

function sorted(items, sort) {
  if (!sort) return items;
  const key = sort.replace(/^-/, "");
  const sign = sort.startsWith("-") ? -1 : 1;
  const known = items.filter((item) => item[key] !== undefined && item[key] !== null);
  const unknown = items.filter((item) => item[key] === undefined || item[key] === null);
  return [...known.sort((a, b) => sign * (a[key] - b[key])), ...unknown];
}

/** The state that an address names, of which the part behind ``#rows`` or ``#reason`` is given. */
function stateOf(path, parameters) {
  const state = everything();
  for (const [key, value] of parameters) {
    if (key === "q") state.query = value;
    else if (key === "outcome" && ["lost", "all"].includes(value)) state.outcome = value;
    else if (key === "sort" && Object.hasOwn(MEASURES, value.replace(/^-/, ""))) state.sort = value;
    else if (Object.hasOwn(FACETS, key)) (state.chosen[key] ??= new Set()).add(value);
    else if (Object.hasOwn(MEASURES, key)) {
      const [low, high] = value.split("..");
      state.ranges[key] = [Number(low) || 0, high ? Number(high) || 0 : null];
    }
  }
  if (path) state.chosen.reason = new Set([path]);
  if ((state.chosen.reason || state.chosen.stage) && state.outcome === "kept")
    state.outcome = "lost";
  return state;
}

function addressOf(state) {
  const parameters = new URLSearchParams();
  const reasons = [...(state.chosen.reason ?? [])];
  const single = reasons.length === 1 && state.outcome === "lost";
  if (state.outcome !== "kept" && !single) parameters.set("outcome", state.outcome);
  for (const key of Object.keys(FACETS)) {
    if (key === "reason" && single) continue;
    for (const value of state.chosen[key] ?? []) parameters.append(key, value);
  }
  for (const [key, [low, high]] of Object.entries(state.ranges)) {
    parameters.set(key, `${low}..${high ?? ""}`);
  }
  if (state.query) parameters.set("q", state.query);
  if (state.sort) parameters.set("sort", state.sort);
  const rest = parameters.size ? `?${parameters}` : "";
  return single ? `${address("reason", reasons[0])}${rest}` : `#rows${rest}`;
}
