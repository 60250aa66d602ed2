// Colours for Python code.

const TOKEN = new RegExp(
  [
    String.raw`(?<comment>#[^\n]*)`,
    String.raw`(?<string>[rbfuRBFU]{0,2}(?:"""(?:\\[^]|[^\\])*?(?:"""|$)|'''(?:\\[^]|[^\\])*?(?:'''|$)` +
      String.raw`|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?))`,
    String.raw`(?<number>(?:0[xobXOB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+\-]?\d+)?[jJ]?))`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_]*)`,
  ].join("|"),
  "gu",
);
const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except" +
    " finally for from global if import in is lambda nonlocal not or pass raise return try while" +
    " with yield"
  ).split(" "),
);

function kindOf(match) {
  const { comment, string, number, word } = match.groups;
  if (comment) return "comment";
  if (string) return "string";
  if (number) return "number";
  if (KEYWORDS.has(word)) return "keyword";
  if (/^arg\d+$/.test(word)) return "argument";
  return match.input[match.index + word.length] === "(" ? "called" : null;
}

/** Yield the code's pieces in order as [kind, text]; kind null: nothing special. */
function* pieces(code) {
  let at = 0;
  for (const match of code.matchAll(TOKEN)) {
    const kind = kindOf(match);
    if (!kind) continue;
    if (match.index > at) yield [null, code.slice(at, match.index)];
    yield [kind, match[0]];
    at = match.index + match[0].length;
  }
  if (at < code.length) yield [null, code.slice(at)];
}

function coloured([kind, text]) {
  return kind ? el("span", { class: `py-${kind}` }, text) : text;
}

/** Nodes of a text of Python. */
function python(code) {
  return [...pieces(code)].map(coloured);
}

/** Nodes of a text of Python, a list for each line. */
function pythonLines(code) {
  const lines = [[]];
  for (const [kind, text] of pieces(code)) {
    text.split("\n").forEach((part, index) => {
      if (index) lines.push([]);
      if (part) lines.at(-1).push(coloured([kind, part]));
    });
  }
  return lines;
}
