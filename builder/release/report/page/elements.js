// Making elements. Every text of a release becomes a text node here, never HTML.

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** The text with every character that cannot be seen, or that turns text around, as its escape. */
function visible(text) {
  return text.replace(INVISIBLE, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.codePointAt(0);
    const hex = code.toString(16);
    if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
    return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "title" || name === "aria-label") element.setAttribute(name, visible(value));
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : visible(String(child)));
  }
  return element;
}

function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function hidden(text) {
  return el("span", { class: "hidden" }, text);
}

/** A bar that fills a share, 0 to 1, of its place. */
function bar(share, kind = "") {
  const inner = el("span", { class: `fill ${kind}` });
  inner.style.inlineSize = `${share * 100}%`;
  return el("span", { class: "bar", "aria-hidden": "true" }, inner);
}

/** A bar whose colour says whether all of it is there; of a plain one nobody expects that. */
function shareBar(share, plain) {
  return bar(share, plain ? "" : share < 1 ? "part" : "whole");
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A whole number with commas; Intl takes too long for thousands of them. */
function count(number) {
  return number < 1000 ? String(number) : String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

function counted(number, noun, plural = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : plural}`;
}

/** A share in percent; what is not quite all or nothing never reads as that. */
function percent(share, digits = 0) {
  const text = (share * 100).toFixed(digits);
  if (share < 1 && Number(text) === 100) return `>${(100 - 10 ** -digits).toFixed(digits)}%`;
  if (share > 0 && Number(text) === 0) return `<${(10 ** -digits).toFixed(digits)}%`;
  return `${text}%`;
}

function announce(text) {
  document.getElementById("status").textContent = text;
}
