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
  function counted(x) {
    if (!Number.isFinite(x)) return number(x);
    if (Number.isInteger(x) && Math.abs(x) < 1e15) return String(x);
    const [mantissa, power] = x.toExponential(5).split("e");
    if (power >= -4 && power < 6) return String(Number(fixed(x, 5 - power)));
    return `${Number(mantissa)}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  }
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
      const digits = one.digits ? column(one.digits) : tp.map(() => 17);
      // Intervals of shares are of cases that are counted, and drawn one by one.
      const sure = Object.keys(one.intervals).length > 0 && Number.isInteger(one.relevant + one.other);
      return { ...one, tp, fp, digits, sure, threshold: column(one.threshold), at: one.start };
    });
    const up = section.good !== "high", sign = up ? "\u2264" : "\u2265";
    const picked = byId(`${key}-system`), all = byId(`${key}-curves`), z = Number(byId(`${key}-outcome`).dataset.z);
    picked.value = byId(`${key}-slider-box`).dataset.first;
    const typed = (name, otherwise) => {
      const given = Number.parseFloat(byId(`${key}-${name}`).value);
      return Number.isFinite(given) && given >= 0 ? given : otherwise;
    };
    const ratio = (a, b) => (b ? a / b : NaN);
    const percent = (x) => `${x >= 10 ? x.toFixed(1) : Number(x.toPrecision(2))} %`;
    const put = (name, text) => { byId(`${key}-${name}`).textContent = text; };
    // The number of so many digits at the threshold or before it: it accepts the same cases.
    function rounded(x, digits) {
      if (digits > 15 || !Number.isFinite(x)) return x;
      const [mantissa, power] = x.toExponential(digits - 1).split("e"), near = Number(`${mantissa}e${power}`);
      const whole = Number(mantissa.replace(".", "")) + (up ? Number(near < x) : -Number(near > x));
      return Number(`${whole}e${power - digits + 1}`);
    }
    // Wilson's interval of a share.
    function ends(one, hits, total) {
      if (!one.sure || !total) return "";
      const share = hits / total, square = z * z / total, centre = (share + square / 2) / (1 + square);
      const half = z * Math.sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square);
      return `[${number(hits ? centre - half : 0)}, ${number(hits < total ? centre + half : 1)}]`;
    }
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
      for (const dot of all.querySelectorAll(`.moving[data-system="${place}"]`)) {
        const group = dot.closest("[data-map]");
        const [x0, x1, left, right, y0, y1, bottom, top] = group.dataset.map.split(" ").map(Number);
        const x = at[group.dataset.x], y = at[group.dataset.y];
        dot.setAttribute("visibility", Number.isFinite(x) && Number.isFinite(y) ? "visible" : "hidden");
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        const logit = (p) => Math.log(p) - Math.log1p(-p), along = group.dataset.scale ? logit : (p) => p;
        const here = Math.min(Math.max(x, x0), x1);
        dot.setAttribute("cx", left + ((along(here) - along(x0)) / (along(x1) - along(x0))) * (right - left));
        dot.setAttribute("cy", bottom + (Math.min(Math.max((y - y0) / (y1 - y0), 0), 1)) * (top - bottom));
      }
    }
    function shown() {
      const place = Number(picked.value), one = systems[place], at = point(one, one.at), beta = typed("beta", 1);
      box.max = one.tp.length - 1;
      box.value = one.at;
      for (const name of ["tp", "fp", "fn", "tn"]) put(name, counted(at[name]));
      const finite = Number.isFinite(at.threshold), accepts = finite ? `${sign} ${rounded(at.threshold, one.digits[one.at])}` : "nothing";
      const accepted = at.tp + at.fp, whole = one.relevant + one.other;
      const told = {
        at: accepts, precision: number(at.precision), recall: number(at.recall), f: number(f(at, beta)),
        rejection: number(ratio(at.tn, at.fp + at.tn)), cost: counted(cost(at)), exact: String(at.threshold),
        accepted: `${counted(accepted)} of ${counted(whole)}`, share: percent((100 * accepted) / whole),
        "precision-ends": ends(one, at.tp, accepted), "recall-ends": ends(one, at.tp, one.relevant), reached: "",
      };
      for (const [name, text] of Object.entries(told)) put(name, text);
      byId(`${key}-exactly`).hidden = !finite;
      const said = `score ${accepts}: precision ${told.precision}, recall ${told.recall}`;
      box.setAttribute("aria-valuetext", said);
      marked(place);
      // As in the page's first view: of more than three scores the band of one.
      for (const band of all.querySelectorAll(".band")) {
        band.setAttribute("visibility", systems.length > 3 && Number(band.dataset.system) !== place ? "hidden" : "visible");
      }
      for (const chart of all.querySelectorAll(".against")) chart.classList.toggle("other", Number(chart.dataset.of) !== place);
    }
    // While one curve's threshold moves the others step back.
    function faded(moving) {
      for (const part of all.querySelectorAll("figure:not(.against) [data-system]")) {
        part.classList.toggle("faded", moving && part.dataset.system !== picked.value);
      }
    }
    // Where something is greatest; of equals that which accepts least.
    function best(measured, otherwise) {
      const one = systems[Number(picked.value)];
      let found = -1, top = -Infinity;
      one.tp.forEach((_, row) => {
        const reached = measured(point(one, row), row);
        if (reached > top) [found, top] = [row, reached];
      });
      if (found >= 0) one.at = found;
      shown();
      if (found < 0) put("reached", otherwise(one));
      put("live", found < 0 ? byId(`${key}-reached`).textContent : box.getAttribute("aria-valuetext"));
    }
    // As `Curve.at`: as few cases as reach a recall, one block at least; the greatest recall of a precision.
    function least(name, wanted, measured) {
      best((at, row) => (row && at[name] >= wanted ? measured(at) : NaN), (one) => {
        const top = Math.max(...one.tp.map((_, row) => point(one, row)[name]).filter((x) => x === x));
        return `No threshold has a ${name} of ${wanted}; the greatest is ${number(top)}.`;
      });
    }
    box.addEventListener("input", () => { systems[Number(picked.value)].at = Number(box.value); shown(); faded(true); });
    for (const end of ["blur", "pointerup"]) box.addEventListener(end, () => faded(false));
    picked.addEventListener("change", shown);
    for (const name of ["beta", "fp-cost", "fn-cost"]) byId(`${key}-${name}`).addEventListener("input", shown);
    byId(`${key}-best`).addEventListener("click", () => best((at) => f(at, typed("beta", 1))));
    byId(`${key}-cheapest`).addEventListener("click", () => best((at) => -cost(at)));
    byId(`${key}-recall-least`).addEventListener("click", () => least("recall", typed("least-recall", 0.95), (at) => -at.tp - at.fp));
    byId(`${key}-precision-least`).addEventListener("click", () => least("precision", typed("least-precision", 0.9), (at) => at.tp));
    for (const given of byId(`${key}-slider-box`).querySelectorAll("[data-for]")) {
      given.addEventListener("keydown", (event) => { if (event.key === "Enter") byId(given.dataset.for).click(); });
    }
    byId(`${key}-copy`).addEventListener("click", () => {
      const range = document.createRange();
      range.selectNodeContents(byId(`${key}-exact`));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      // A page from a file may not write to the clipboard by itself everywhere; what is selected it can copy.
      document.execCommand("copy");
      put("live", "copied");
    });
    shown();
  }
  kinds.curves = kinds.categories = operating;

  // @ all
  record.sections.forEach((section, i) => kinds[section.kind]?.(section, `s${i}`));
})();
