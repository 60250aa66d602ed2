// The release as it stands in the page: gzipped JSON in Base64.

async function unpack(element) {
  const letters = atob(element.textContent);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** What is known of all rows, and ways to find one. */
class Release {
  constructor(index) {
    this.overview = index.overview;
    this.rows = index.rows;
    this.lost = index.lost;
    this.reasons = index.overview.funnel.reasons;
    this.rowsAPart = index.rowsAPart;
    this.parts = [...document.querySelectorAll("script.part")];
    this.unpacked = new Map();
    this.rowOf = new Map(this.rows.map((row, at) => [addressed(row.id), at]));
    this.lostOf = Map.groupBy(this.lost, (each) => addressed(each.id));
    this.repeatsOf = Map.groupBy(
      this.lost.filter((each) => each.twin),
      (each) => each.twin,
    );
    for (const row of this.rows) row.kept = true;
    for (const each of this.lost) {
      const source = this.overview.sources[each.source];
      each.split = source?.split;
      each.license = source?.license;
    }
  }

  static async open() {
    return new Release(await unpack(document.getElementById("index")));
  }

  /** Promise what only the view of one row shows. */
  async details(at) {
    const part = Math.floor(at / this.rowsAPart);
    if (!this.unpacked.has(part)) this.unpacked.set(part, unpack(this.parts[part]));
    return (await this.unpacked.get(part))[at % this.rowsAPart];
  }

  /** Lower-case text in which a search looks for an item's words; made once. */
  haystack(item) {
    item.haystack ??= [item.id, item.description, item.code, item.detail, item.sourceId]
      .filter(Boolean)
      .join("\n")
      .toLowerCase();
    return item.haystack;
  }
}

/** The id as an address can hold it: lone surrogates have no UTF-8. */
function addressed(id) {
  return id.toWellFormed();
}

function address(view, id = "") {
  const path = addressed(id).split("/").map(encodeURIComponent).join("/");
  return `#${view}${path ? `/${path}` : ""}`;
}
