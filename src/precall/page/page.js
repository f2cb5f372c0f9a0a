"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const record = JSON.parse(byId("record").textContent);
  const SVG = "http://www.w3.org/2000/svg";

  // ---- numbers: as the library reads and prints them

  const value = (one) => (one === null ? NaN : one === "inf" ? Infinity : one === "-inf" ? -Infinity : one);
  function column(given) {
    if (Array.isArray(given)) return given.map(value);
    const packed = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const bytes = packed(given.f8), view = new DataView(bytes.buffer);
    const values = Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
    return given.at === undefined ? values : Array.from(packed(given.at), (i) => values[i]);
  }
  // Python rounds a tie to the even digit, toFixed away from 0; of decimals only some multiples of 1/32 are ties.
  function fixed(x, digits = 4) {
    if (Number.isInteger(x * 2 ** (digits + 1)) && Math.abs(x) < 1e9) {
      const scaled = Math.abs(x) * 10 ** digits, down = Math.floor(scaled);
      if (scaled - down === 0.5) return (Math.sign(x) * (down + (down % 2)) / 10 ** digits).toFixed(digits);
    }
    return x.toFixed(digits);
  }
  function number(x) {
    if (Number.isNaN(x)) return "undef";
    if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
    return Number.isInteger(x) && Math.abs(x) >= 100 ? x.toFixed(0) : fixed(x);
  }
  const signed = (x) => (Number.isNaN(x) ? "undef" : (x < 0 || Object.is(x, -0) ? "" : "+") + fixed(x));
  const counted = (x) => (Number.isInteger(x) ? String(x) : number(x));
  const short = (x) => {
    const size = Math.abs(x);
    return String(size >= 1e4 && size < 1e6 ? Math.round(x) : Number(x.toPrecision(4))).replace("-", "\u2212");
  };

  const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  // ---- small builders; text is always set as text

  function made(name, attributes, text) {
    const one = document.createElementNS(SVG, name);
    for (const [key, given] of Object.entries(attributes)) one.setAttribute(key, given);
    if (text !== undefined) one.textContent = text;
    return one;
  }
  const html = (name, text) => {
    const one = document.createElement(name);
    if (text !== undefined) one.textContent = text;
    return one;
  };

  for (const one of document.querySelectorAll(".scripted")) one.hidden = false;

  // ---- tables that sort: numbers by value, names as they are read, what is undefined last

  function sorting(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, place) => {
      const button = html("button", head.textContent);
      button.type = "button";
      head.textContent = "";
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const rising = head.getAttribute("aria-sort") === "descending" || (place === 0 && head.getAttribute("aria-sort") === "none");
        for (const other of heads) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", rising ? "ascending" : "descending");
        const body = table.tBodies[0];
        const read = (row) => (row.exact && row.exact[place] !== undefined ? row.exact[place] : row.cells[place].textContent.trim());
        const keyed = [...body.rows].map((row) => {
          const text = read(row), parsed = typeof text === "number" ? text : Number.parseFloat(text.replace("\u2212", "-").replace("[", ""));
          return { row, text: String(text), parsed };
        });
        const numeric = keyed.filter((one) => !Number.isNaN(one.parsed)).length * 2 > keyed.length && place > 0;
        const sign = rising ? 1 : -1;
        keyed.sort((a, b) => {
          if (!numeric) return sign * a.text.localeCompare(b.text, "en", { numeric: true });
          if (Number.isNaN(a.parsed) || Number.isNaN(b.parsed)) return Number.isNaN(a.parsed) - Number.isNaN(b.parsed);
          return sign * (a.parsed - b.parsed);
        });
        body.append(...keyed.map((one) => one.row));
      });
    });
  }
  for (const table of document.querySelectorAll("table.sortable")) sorting(table);

  const kinds = {};
  // @ curves categories
  // ---- scored cases: a threshold, what it accepts, and where that is on every chart

  function operating(section, key) {
    const box = byId(`${key}-slider`);
    if (!box) return;
    const systems = section.systems.map((one) => {
      const tp = column(one.tp), fp = column(one.fp);
      return { ...one, tp, fp, threshold: column(one.threshold), at: one.start };
    });
    const picked = byId(`${key}-system`), sign = section.good === "high" ? "\u2265" : "\u2264";
    picked.value = String(systems.findIndex((one) => one.relevant));
    const typed = (name, otherwise) => {
      const given = Number.parseFloat(byId(`${key}-${name}`).value);
      return Number.isFinite(given) && given >= 0 ? given : otherwise;
    };
    const ratio = (a, b) => (b ? a / b : NaN);
    function point(one, row) {
      const tp = one.tp[row], fp = one.fp[row], fn = one.relevant - tp, tn = one.other - fp;
      return { tp, fp, fn, tn, threshold: one.threshold[row], precision: ratio(tp, tp + fp), recall: ratio(tp, tp + fn), rate: ratio(fp, fp + tn) };
    }
    function f(at, beta) {
      const whole = (1 + beta ** 2) * at.tp + beta ** 2 * at.fn + at.fp;
      return ratio((1 + beta ** 2) * at.tp, whole);
    }
    const cost = (at) => typed("fp-cost", 1) * at.fp + typed("fn-cost", 1) * at.fn;
    function marked(place) {
      const one = systems[place], at = point(one, one.at);
      at.F = f(at, 1);
      for (const dot of byId(`${key}-curves`).querySelectorAll(`.moving[data-system="${place}"]`)) {
        const group = dot.closest("[data-map]");
        const [x0, x1, left, right, y0, y1, bottom, top] = group.dataset.map.split(" ").map(Number);
        const x = at[group.dataset.x], y = at[group.dataset.y];
        dot.setAttribute("visibility", Number.isFinite(x) && Number.isFinite(y) ? "visible" : "hidden");
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        dot.setAttribute("cx", left + (Math.min(Math.max((x - x0) / (x1 - x0), 0), 1)) * (right - left));
        dot.setAttribute("cy", bottom + (Math.min(Math.max((y - y0) / (y1 - y0), 0), 1)) * (top - bottom));
      }
    }
    function shown() {
      const place = Number(picked.value), one = systems[place], at = point(one, one.at), beta = typed("beta", 1);
      box.max = one.tp.length - 1;
      box.value = one.at;
      for (const name of ["tp", "fp", "fn", "tn"]) byId(`${key}-${name}`).textContent = counted(at[name]);
      const accepts = Number.isFinite(at.threshold) ? `${sign} ${at.threshold}` : "nothing";
      const told = {
        at: accepts, precision: number(at.precision), recall: number(at.recall), f: number(f(at, beta)),
        rejection: number(ratio(at.tn, at.fp + at.tn)), cost: counted(cost(at)),
      };
      for (const [name, text] of Object.entries(told)) byId(`${key}-${name}`).textContent = text;
      const said = `score ${accepts}: precision ${told.precision}, recall ${told.recall}`;
      box.setAttribute("aria-valuetext", said);
      marked(place);
      // As in the page's first view: of more than three scores the band of one.
      for (const band of byId(`${key}-curves`).querySelectorAll(".band")) {
        band.setAttribute("visibility", systems.length > 3 && Number(band.dataset.system) !== place ? "hidden" : "visible");
      }
    }
    function best(measured) {
      const one = systems[Number(picked.value)];
      let found = 0, top = -Infinity;
      one.tp.forEach((_, row) => {
        const reached = measured(point(one, row));
        if (reached > top) [found, top] = [row, reached];
      });
      one.at = found;
      shown();
      byId(`${key}-live`).textContent = box.getAttribute("aria-valuetext");
    }
    box.addEventListener("input", () => { systems[Number(picked.value)].at = Number(box.value); shown(); });
    picked.addEventListener("change", shown);
    for (const name of ["beta", "fp-cost", "fn-cost"]) byId(`${key}-${name}`).addEventListener("input", shown);
    byId(`${key}-best`).addEventListener("click", () => best((at) => f(at, typed("beta", 1))));
    byId(`${key}-cheapest`).addEventListener("click", () => best((at) => -cost(at)));
    shown();
  }
  kinds.curves = kinds.categories = operating;

  // @ all
  record.sections.forEach((section, i) => kinds[section.kind]?.(section, `s${i}`));
})();
