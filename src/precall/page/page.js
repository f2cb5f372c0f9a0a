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
  // Python rounds a tie to the even digit, toFixed away from 0; only multiples of 1/32 are ties in four decimals.
  function fixed(x) {
    if (Number.isInteger(x * 32) && Math.abs(x) < 1e9) {
      const scaled = Math.abs(x) * 1e4, down = Math.floor(scaled);
      if (scaled - down === 0.5) return (Math.sign(x) * (down + (down % 2)) / 1e4).toFixed(4);
    }
    return x.toFixed(4);
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

  // ---- topics: which measure and systems, the bars, the table, where the hits are

  function ticks(low, high, about) {
    const rough = (high - low) / about, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((one) => one * power).reduce((a, b) => (Math.abs(b - rough) < Math.abs(a - rough) ? b : a));
    const found = [];
    for (let i = Math.ceil(low / step - 1e-9); i <= high / step + 1e-9; i += 1) found.push(Number((i * step).toPrecision(12)));
    return found;
  }

  function topics(section, key) {
    const table = byId(`${key}-topics`);
    if (!table) return;
    const values = section.values.map((of) => of.map(column));
    const names = section.topics, systems = section.systems;
    const rows = [...table.tBodies[0].rows];
    const figure = byId(`${key}-bars`), hover = byId(`${key}-hover`);
    const state = { measure: 0, first: section.compared[0], second: section.compared[1] };
    // In a wide table only the two that are compared have columns.
    const heads = [...table.tHead.rows[0].cells], narrow = heads.length - 1 < systems.length;
    const columns = () => (narrow ? [state.first, state.second] : systems.map((_, i) => i));
    let order = [], apart = [];

    function compared() {
      const of = values[state.measure], direction = section.measures[state.measure].best || 1;
      apart = names.map((_, i) => (state.second === undefined ? of[state.first][i] : of[state.first][i] - of[state.second][i]));
      const keys = apart.map((one) => (Number.isNaN(one) ? Infinity : direction * one));
      order = names.map((_, i) => i).sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : 0));
    }
    function filled(row) {
      const of = values[state.measure], cells = [...row.cells], direction = section.measures[state.measure].best || 1;
      row.exact = [undefined, ...columns().map((i) => of[i][row.topic])];
      columns().forEach((i, place) => { cells[place + 1].textContent = number(of[i][row.topic]); });
      if (state.second === undefined) return;
      const cell = cells[columns().length + 1], one = apart[row.topic];
      row.exact.push(one);
      cell.textContent = signed(one);
      cell.className = one * direction > 0 ? "gain" : one * direction < 0 ? "loss" : "";
    }
    function chosen(topic, moved) {
      for (const row of rows) row.classList.toggle("chosen", row.topic === topic);
      for (const bar of bars()) bar.classList.toggle("chosen", bar.topic === topic);
      strips(section, key, topic);
      if (moved) {
        const row = rows.find((one) => one.topic === topic);
        row.hidden = false;
        row.scrollIntoView({ block: "center" });
        row.cells[0].querySelector("button").focus({ preventScroll: true });
      }
    }
    const bars = () => (figure ? [...figure.querySelectorAll("svg rect")] : []);
    function told(topic) {
      const second = systems[state.second];
      hover.textContent = `${names[topic]}: ${signed(apart[topic])} (${systems[state.first]} less ${second})`;
    }
    function named() {
      const known = order.filter((one) => !Number.isNaN(apart[one]));
      bars().forEach((bar, i) => { bar.topic = known[i]; });
    }

    function drawn() {
      const svg = figure.querySelector("svg"), known = order.filter((one) => !Number.isNaN(apart[one]));
      const all = [0, ...known.map((one) => apart[one])];
      let low = Math.min(...all), high = Math.max(...all);
      const more = 0.04 * (high - low);
      [low, high] = high > low ? [low - more, high + more] : [low - 0.5, high + 0.5];
      const left = 64, right = 708, top = 10, bottom = 200;
      const y = (one) => bottom - ((one - low) / (high - low)) * (bottom - top);
      const measure = section.measures[state.measure].name, pair = `${systems[state.first]} less ${systems[state.second]}`;
      const [title, description] = svg.children;
      const above = known.filter((one) => apart[one] > 0).length, below = known.filter((one) => apart[one] < 0).length;
      const tail = `${systems[state.first]} is higher in ${many(above, "topic")}, lower in ${below}, equal in ${known.length - above - below}.`;
      title.textContent = `${measure} by topic: ${pair}`;
      description.textContent = `${many(known.length, "topic")}, a bar each, sorted. ${tail}`;
      byId(`${key}-said`).textContent = `${pair} in ${measure}. ${tail}`;
      const marks = ticks(low, high, 5), zero = y(0), wide = (right - left) / Math.max(known.length, 1);
      const gap = wide > 3 ? 0.15 * wide : 0, group = made("g", { class: "f0", fill: "#004488" });
      known.forEach((topic, i) => {
        const to = y(apart[topic]);
        const bar = made("rect", {
          x: left + i * wide + gap / 2, y: Math.min(to, zero), width: Math.max(wide - gap, 0.8), height: Math.max(Math.abs(to - zero), 0.7),
        });
        if (apart[topic] < 0) { bar.setAttribute("class", "f2"); bar.setAttribute("fill", "#BB5566"); }
        bar.append(made("title", {}, `${names[topic]} ${short(apart[topic])}`));
        group.append(bar);
      });
      svg.replaceChildren(
        title, description,
        made("path", { class: "grid", stroke: "#C4C4C4", "stroke-width": 0.6, d: marks.map((one) => `M${left} ${y(one)}H${right}`).join("") }),
        ...marks.map((one) => made("text", { x: left - 5, y: y(one) + 4, "text-anchor": "end" }, short(one))),
        made("text", { x: (left + right) / 2, y: bottom + 22, "text-anchor": "middle" }, `${many(known.length, "topic")}, sorted`),
        made("text", { "text-anchor": "middle", transform: `translate(10 ${(top + bottom) / 2}) rotate(-90)` }, `${measure}, difference`),
        group, made("path", { class: "axis", stroke: "currentColor", d: `M${left} ${zero}H${right}` }),
      );
      named();
    }

    function changed() {
      compared();
      rows.forEach(filled);
      const of = new Map(rows.map((row) => [row.topic, row]));
      table.tBodies[0].append(...order.map((topic) => of.get(topic)));
      for (const head of heads) head.setAttribute("aria-sort", "none");
      columns().forEach((i, place) => { heads[place + 1].querySelector("button").textContent = systems[i]; });
      byId(`${key}-topics-said`).textContent = `${section.measures[state.measure].name} by topic`;
      if (figure) drawn();
    }

    compared();
    rows.forEach((row, i) => {
      row.topic = order[i];
      const button = html("button", row.cells[0].textContent);
      button.type = "button";
      button.addEventListener("click", () => chosen(row.topic, false));
      row.cells[0].replaceChildren(button);
      filled(row);
    });
    if (figure) {
      drawn();
      figure.classList.add("linked");
      figure.addEventListener("click", (event) => {
        if (event.target.topic !== undefined) chosen(event.target.topic, true);
      });
      figure.addEventListener("pointerover", (event) => { if (event.target.topic !== undefined) told(event.target.topic); });
      for (const name of ["measure", "first", "second"]) {
        byId(`${key}-${name}`).addEventListener("change", (event) => {
          state[name] = Number(event.target.value);
          changed();
        });
      }
    }
    const filter = byId(`${key}-filter`);
    filter.addEventListener("input", () => {
      let seen = 0;
      for (const row of rows) {
        row.hidden = !names[row.topic].includes(filter.value);
        seen += !row.hidden;
      }
      byId(`${key}-count`).textContent = seen === rows.length ? many(seen, "topic") : `${seen} of ${many(rows.length, "topic")}`;
    });
  }

  function strips(section, key, topic) {
    const box = byId(`${key}-chosen`), hits = section.hits;
    if (!box) return;
    const left = 96, pitch = 15, wide = 4, height = 24 + pitch * section.systems.length;
    const title = `Hits of topic ${section.topics[topic]} in the first ${hits.depth} ranks`, id = `${key}-chosen-title`;
    const svg = made("svg", { class: "chart", viewBox: `0 0 336 ${height}`, role: "img", "aria-labelledby": id, "font-size": 11, fill: "currentColor" });
    svg.append(made("title", { id }, title), made("text", { x: 0, y: 12, "font-weight": 600 }, `topic ${section.topics[topic]}`));
    section.systems.forEach((name, i) => {
      const one = hits.systems[i], y = 20 + pitch * i;
      const said = name.length > 14 ? `${name.slice(0, 7)}\u2026${name.slice(-6)}` : name;
      svg.append(made("text", { x: left - 6, y: y + 8.5, "text-anchor": "end" }, said));
      svg.append(made("rect", { x: left, y, width: wide * hits.depth, height: 9, class: "ground", "fill-opacity": 0.45 }));
      const bytes = atob(one.marks.slice(8 * topic, 8 * topic + 8));
      let path = "";
      for (let rank = 0; rank < hits.depth; rank += 1) {
        if ((bytes.charCodeAt(rank >> 3) >> (7 - (rank & 7))) & 1) path += `M${left + wide * rank} ${y}h${wide}v9h-${wide}z`;
      }
      svg.append(made("path", { d: path, class: "f0" }));
      svg.append(made("text", { x: left + wide * hits.depth + 6, y: y + 8.5 }, `${one.found[topic]}/${hits.relevant[topic]}`));
    });
    box.replaceChildren(svg);
  }

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

  // As the page itself shows names: without what would turn the direction of writing.
  const clean = (text) => (text.trim() ? text : "(empty)").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

  record.sections.forEach((section, i) => {
    if (section.kind === "systems") {
      section.topics = section.topics.map(clean);
      section.systems = section.systems.map(clean);
      topics(section, `s${i}`);
    }
    if (section.kind === "curves" || section.kind === "categories") operating(section, `s${i}`);
  });
})();
