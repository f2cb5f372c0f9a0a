// Part of page.js, where it is of systems.
  // ---- averages and topics: which measure and systems, the charts, the table, where the hits are

  // As the page itself shows names: without what would turn the direction of writing.
  const clean = (text) => (text.trim() ? text : "(empty)").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

  const probability = (p) => (Number.isNaN(p) ? "undef" : p >= 0.001 ? fixed(p, p >= 0.1 ? 3 : 4)
    : p.toExponential(2).replace(/e-(\d)$/, "e-0$1"));

  function ticks(low, high, about) {
    const rough = (high - low) / about, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((one) => one * power).reduce((a, b) => (Math.abs(b - rough) < Math.abs(a - rough) ? b : a));
    const found = [];
    for (let i = Math.ceil(low / step - 1e-9); i <= high / step + 1e-9; i += 1) found.push(Number((i * step).toPrecision(12)));
    return found;
  }
  function room(values, share) {
    const known = values.filter((one) => Math.abs(one) < 1e300), low = Math.min(...known), high = Math.max(...known);
    const more = share * (high - low);
    return !known.length ? [0, 1] : low < high && more > 1e-12 * Math.abs(high) ? [low - more, high + more] : [low - 0.5, high + 0.5];
  }

  const look = (place, pale) => (pale ? { class: `f${place} s${place}`, "fill-opacity": 0.3 } : { class: `f${place}` });
  // A row for each system: its value as a dot, or as a bar from 0 (`bars` says what stands behind), and its interval.
  function rowChart(figure, title, across, rows, bars, right, [better, worse] = []) {
    byId(`${figure.id}-said`).textContent = title;
    const svg = figure.querySelector("svg"), left = 108, width = 336, top = bars ? 20 : 8, bottom = top + 20 * rows.length;
    const [low, high] = room([...rows.flatMap((one) => [one.value, one.low, one.high]), ...(bars ? [0] : [])], 0.06);
    const x = (one) => left + Math.min(Math.max((one - low) / (high - low), 0), 1) * (width - right - left);
    const text = (at, y, said, anchor) => made("text", { x: at, y, "text-anchor": anchor }, said);
    const marks = ticks(low, high, bars ? 3 : 4), parts = [
      made("path", { class: "grid", "stroke-width": 0.6, d: marks.map((one) => `M${x(one)} ${top}V${bottom}`).join("") }),
      ...marks.map((one) => text(x(one), bottom + 14, short(one), "middle")),
      text((left + width - right) / 2, bottom + 29, across, "middle"),
    ];
    let whiskers = "";
    rows.forEach((one, i) => {
      const y = top + 10 + 20 * i, cut = one.name.length > 14 ? `${one.name.slice(0, 7)}\u2026${one.name.slice(-6)}` : one.name;
      const name = text(left - 8, y + 4, cut, "end");
      name.append(made("title", {}, one.full));
      parts.push(name, text(width - right + 6, y + 4, one.behind, "start"));
      const whole = Number.isFinite(one.low) && Number.isFinite(one.high);
      if (whole) whiskers += `M${x(one.low)} ${y}H${x(one.high)}`;
      if (whole && bars) whiskers += [one.low, one.high].map((end) => `M${x(end)} ${y - 3}v6`).join("");
      if (!Number.isFinite(one.value)) return;
      const ends = [x(0), x(one.value)].sort((a, b) => a - b);
      parts.push(bars
        ? made("rect", { x: ends[0], y: y - 6, width: Math.max(ends[1] - ends[0], 1), height: 12, ...look(one.gain ? 0 : 1, !one.sure) })
        : made("circle", { cx: x(one.value), cy: y, r: 3.6, class: "f0" }));
    });
    const line = made("path", { class: bars ? "axis" : "s0", "stroke-width": bars ? 1.2 : 1.6, d: whiskers });
    if (bars) parts.push(line, made("path", { class: "axis", d: `M${x(0)} ${top}V${bottom}` }), bars.length > 9 ? text(width - 2, 13, bars, "end") : text(width - right + 6, 13, bars, "start"));
    else parts.splice(1, 0, line);
    const legend = svg.querySelector(".legend");
    let end = bottom + 36;
    if (legend) {
      const known = { sure: rows.some((one) => one.sure && one.gain), lost: rows.some((one) => one.sure && !one.gain), pale: rows.some((one) => !one.sure) };
      let at = left - 84;
      const signs = [["sure", better, 0], ["lost", worse, 1], ["pale", "not significantly different", 1]].filter(([name]) => known[name]).flatMap(([name, words, place]) => {
        const sign = made("rect", { x: at, y: bottom + 39, width: 12, height: 10, ...look(place, name === "pale") });
        at += 32 + 6.2 * words.length;
        return [sign, text(at - 15 - 6.2 * words.length, bottom + 48, words, "start")];
      });
      legend.replaceChildren(...signs);
      end += 18;
      parts.push(legend);
    }
    const [named, described] = svg.children;
    named.textContent = title;
    described.textContent = rows.map((one) => `${one.full} ${number(one.value)}`).join("; ");
    svg.setAttribute("viewBox", `0 0 ${width} ${end}`);
    svg.setAttribute("height", end);
    svg.replaceChildren(named, described, ...parts);
  }

  // How the systems stand to the best or to the baseline, and their averages, by one measure.
  function standings(section, key, place, systems) {
    const of = section.measures[place], direction = of.best || 1, pairs = section.pairs, mean = section.mean.map((line) => column(line)[place]);
    const order = systems.map((_, i) => i);
    if (of.best) order.sort((a, b) => (Number.isNaN(mean[a]) - Number.isNaN(mean[b])) || direction * (mean[b] - mean[a]) || a - b);
    const shown = order.slice(0, 30), more = systems.length > 31 ? `; the 30 best of ${systems.length}` : "";
    const dots = byId(`${key}-dots`), gaps = byId(`${key}-gaps`), letters = (pairs && pairs.letters[place]) || [];
    const end = (name, i) => (section.interval[name] ? column(section.interval[name][i])[place] : NaN);
    const within = section.interval.level ? ` with ${Number((100 * section.interval.level).toPrecision(6))} % intervals` : "";
    rowChart(dots, `${of.name}: averages${within}${more}`, of.name, shown.map((i) => ({
      name: systems[i], full: section.systems[i], value: mean[i], low: end("low", i), high: end("high", i), behind: letters[i] || "",
    })), "", letters.length ? 30 : 14);
    if (!gaps) return;
    const base = pairs.against?.[place] ?? order[0], known = [];
    const [difference, low, high, raw, adjusted] = ["difference", "low", "high", "p", "adjusted"].map((name) => column(pairs[name]));
    pairs.measure.forEach((measure, row) => {
      if (measure !== place || (pairs.a[row] !== base && pairs.b[row] !== base)) return;
      const turned = pairs.a[row] === base, i = turned ? pairs.b[row] : pairs.a[row], sign = turned ? -1 : 1;
      known[i] = {
        name: systems[i], full: section.systems[i], value: sign * difference[row] + 0, low: sign * (turned ? high : low)[row],
        high: sign * (turned ? low : high)[row], behind: probability(adjusted[row]), sure: Boolean(pairs.significant[row]), gain: sign * difference[row] * direction > 0,
      };
    });
    const name = pairs.compared[place], what = pairs.baseline ? "the baseline" : "the best";
    const rows = order.filter((i) => known[i]).map((i) => known[i]).slice(0, 30);
    const corrected = adjusted.some((p, row) => p !== raw[row]);
    const alone = corrected && pairs.conventions.correction !== "tukey" ? "; intervals are of each pair by itself, p is adjusted for all" : "";
    rowChart(gaps, `${name}: difference from ${systems[base]}, ${what}${alone}${more}`, `${name} minus that of ${systems[base]}`, rows, corrected ? "adjusted p" : "p", 58, of.best ? ["better", "worse"] : ["higher", "lower"]);
  }

  // As the comparisons have it: exactly 0 where they are equal but for rounding.
  const minus = (a, b) => (Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a - b);

  function topics(section, key, systems, state, changes) {
    const table = byId(`${key}-topics`);
    const counted = (count) => `${count} ${section.noun[count === 1 ? 0 : 1]}`;
    if (!table) return;
    const values = section.values.map((of) => of.map(column)), names = section.topics;
    const rows = [...table.tBodies[0].rows], figure = byId(`${key}-bars`), hover = byId(`${key}-hover`);
    // In a wide table only the two that are compared have columns.
    const heads = [...table.tHead.rows[0].cells], narrow = heads.length - 1 < systems.length;
    const columns = () => (narrow ? [state.first, state.second] : systems.map((_, i) => i));
    let order = [], gaps = [], width = 0, at = -1;

    const better = () => section.measures[state.measure].best || 1;
    // As in the plots: the greatest gain first.
    const known = () => order.filter((one) => !Number.isNaN(gaps[one])).reverse();
    function compared() {
      const of = values[state.measure];
      gaps = names.map((_, i) => (state.second === undefined ? of[state.first][i] : minus(of[state.first][i], of[state.second][i])));
      const keys = gaps.map((one) => (Number.isNaN(one) ? Infinity : better() * one));
      order = names.map((_, i) => i).sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : 0));
    }
    function filled(row) {
      const of = values[state.measure], cells = [...row.cells];
      row.exact = [undefined, ...columns().map((i) => of[i][row.topic])];
      columns().forEach((i, place) => { cells[place + 1].textContent = number(of[i][row.topic]); });
      if (state.second === undefined) return;
      const cell = cells[columns().length + 1], one = gaps[row.topic];
      row.exact.push(one);
      cell.textContent = signed(one);
      cell.className = one * better() > 0 ? "gain" : one * better() < 0 ? "loss" : "";
    }
    const bars = () => (figure ? [...figure.querySelectorAll("svg rect")] : []);
    function marked(topic) {
      for (const bar of bars()) bar.classList.toggle("chosen", bar.topic === topic);
    }
    function chosen(topic, moved) {
      for (const row of rows) row.classList.toggle("chosen", row.topic === topic);
      marked(topic);
      byId(`${key}-chosen`)?.replaceChildren(strip(section, topic, systems, `${key}-chosen-title`));
      if (moved) {
        const row = rows.find((one) => one.topic === topic);
        row.hidden = false;
        row.scrollIntoView({ block: "center" });
        row.cells[0].querySelector("button").focus({ preventScroll: true });
      }
    }
    const pair = () => `${systems[state.first]} minus ${systems[state.second]}`;
    function told(topic) {
      hover.textContent = `${names[topic]}: ${signed(gaps[topic])} (${pair()})`;
    }
    function worded(topics) {
      const measure = section.measures[state.measure].name, title = `${pair()} in ${measure}`;
      byId(`${key}-said`).textContent = title;
      const above = topics.filter((one) => gaps[one] > 0).length, below = topics.filter((one) => gaps[one] < 0).length;
      const said = [`${systems[state.first]} is higher in ${counted(above)}`, `${systems[state.second]} in ${below}`, `equal in ${topics.length - above - below}`];
      [...byId(`${key}-legend`).children].forEach((one, i) => { one.textContent = said[i]; });
      const valued = (one) => `${names[one]} ${signed(gaps[one])}`;
      const list = (what, some) => (some.length ? `Greatest ${what}: ${some.slice(0, 5).map(valued).join(", ")}.` : "");
      const gains = topics.filter((one) => better() * gaps[one] > 0), losses = topics.filter((one) => better() * gaps[one] < 0).reverse();
      byId(`${key}-extremes`).textContent = `${list("gains", gains)} ${list("losses", losses)}`.trim();
      return [`${title}, by ${section.noun[0]}`, `${counted(topics.length)}, a bar each, sorted. ${said.join(", ")}.`];
    }

    function drawn(wanted = figure.clientWidth || 720) {
      const svg = figure.querySelector("svg"), topics = known(), [low, high] = room([0, ...topics.map((one) => gaps[one])], 0.04);
      width = Math.min(Math.max(wanted, 280), 960);
      const left = 64, right = width - 12, top = 10, bottom = 200;
      const y = (one) => bottom - ((one - low) / (high - low)) * (bottom - top);
      const [title, description] = svg.children;
      [title.textContent, description.textContent] = worded(topics);
      const marks = ticks(low, high, 5), zero = y(0), wide = (right - left) / Math.max(topics.length, 1);
      const gap = wide > 3 ? 0.15 * wide : 0, group = made("g", {});
      topics.forEach((topic, i) => {
        const to = y(gaps[topic]);
        const bar = made("rect", {
          x: left + i * wide + gap / 2, y: Math.min(to, zero), width: Math.max(wide - gap, 0.8), height: Math.max(Math.abs(to - zero), 0.7), class: gaps[topic] < 0 ? "f1" : "f0",
        });
        bar.topic = topic;
        bar.append(made("title", {}, `${names[topic]} ${short(gaps[topic])}`));
        group.append(bar);
      });
      for (const [name, given] of [["viewBox", `0 0 ${width} 236`], ["width", width], ["height", 236]]) svg.setAttribute(name, given);
      svg.replaceChildren(
        title, description,
        made("path", { class: "grid", "stroke-width": 0.6, d: marks.map((one) => `M${left} ${y(one)}H${right}`).join("") }),
        ...marks.map((one) => made("text", { x: left - 5, y: y(one) + 4, "text-anchor": "end" }, short(one))),
        made("text", { x: (left + right) / 2, y: bottom + 22, "text-anchor": "middle" }, `${counted(topics.length)}, the greatest gain first`),
        made("text", { "text-anchor": "middle", transform: `translate(10 ${(top + bottom) / 2}) rotate(-90)` }, `${section.measures[state.measure].name}, difference`),
        group, made("path", { class: "axis", d: `M${left} ${zero}H${right}` }),
      );
    }

    function changed() {
      compared();
      rows.forEach(filled);
      const of = new Map(rows.map((row) => [row.topic, row]));
      table.tBodies[0].append(...order.map((topic) => of.get(topic)));
      for (const head of heads) head.setAttribute("aria-sort", "none");
      columns().forEach((i, place) => {
        heads[place + 1].querySelector("button").textContent = systems[i];
        heads[place + 1].title = section.systems[i];
      });
      const measure = section.measures[state.measure].name;
      byId(`${key}-topics-said`).textContent = `${measure} by ${section.noun[0]}${figure ? ", the greatest losses first" : ""}`;
      if (!figure) return;
      drawn();
      // As the page first shows them: the greatest losses, and the greatest gain.
      const topics = known().reverse(), some = [...new Set([...topics.slice(0, systems.length > 6 ? 1 : 3), ...topics.slice(-1)])];
      byId(`${key}-hits`)?.replaceChildren(...some.map((topic, i) => strip(section, topic, systems, `${key}-h${i}-title`)));
    }
    changes.push(changed);

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
      figure.classList.add("linked");
      drawn();
      new ResizeObserver(() => { if (Math.abs(figure.clientWidth - width) > 8 && (figure.clientWidth < 960 || width < 960)) drawn(); }).observe(figure);
      window.addEventListener("beforeprint", () => drawn(680));
      window.addEventListener("afterprint", () => drawn());
      figure.addEventListener("click", (event) => {
        if (event.target.topic !== undefined) chosen(event.target.topic, true);
      });
      figure.addEventListener("pointerover", (event) => { if (event.target.topic !== undefined) told(event.target.topic); });
      // What pointing at a bar shows, by keys.
      figure.querySelector(".wide").addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], topics = known();
        if (event.key === "Enter" && at >= 0) chosen(topics[at], true);
        if (!step) return;
        event.preventDefault();
        at = Math.min(Math.max(at + step, 0), topics.length - 1);
        marked(topics[at]);
        told(topics[at]);
      });
      for (const name of ["first", "second"]) {
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
      byId(`${key}-count`).textContent = seen === rows.length ? counted(seen) : `${seen} of ${counted(rows.length)}`;
    });
  }

  function strip(section, topic, systems, id) {
    const hits = section.hits, left = 96, pitch = 15, wide = 4, height = 24 + pitch * systems.length;
    const title = `Hits of ${section.noun[0]} ${section.topics[topic]} in the first ${hits.depth} ranks`;
    const svg = made("svg", { class: "chart", viewBox: `0 0 336 ${height}`, role: "img", "aria-labelledby": id, "font-size": 11, fill: "currentColor" });
    svg.append(made("title", { id }, title), made("text", { x: 0, y: 12, "font-weight": 600 }, `${section.noun[0]} ${section.topics[topic]}`));
    systems.forEach((name, i) => {
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
    return svg;
  }

  kinds.systems = (section, key) => {
    section.topics = section.topics.map(clean);
    const { one = "topic", several = "topics" } = byId(`${key}-count`)?.dataset ?? {};
    section.noun = [one, several];
    section.systems = section.systems.map(clean);
    const systems = [...byId(`${key}-means`).tBodies[0].rows].map((row) => row.cells[0].textContent);
    const state = { measure: 0, first: section.compared[0], second: section.compared[1] }, changes = [];
    const boxes = [...document.querySelectorAll(`.measure-of-${key}`)];
    topics(section, key, systems, state, changes);
    for (const box of boxes) {
      box.addEventListener("change", () => {
        state.measure = Number(box.value);
        for (const other of boxes) other.value = box.value;
        standings(section, key, state.measure, systems);
        for (const change of changes) change();
      });
    }
  };

