"use strict";
// Everything from the server is written as text, never as markup.
const POLL_MS = 2000, TIMEOUT_MS = 10000, MAX_WAIT_MS = 15000, RECENT = 60, MAX_LOG_MS = 30000;
const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en");
const instances = new Map();
const known = { away: null, at: -1, tries: 0, state: "waiting" };
let timer, shown, last, paused = false, polling = false;

const count = (value) => number.format(value);
const plural = (value, one, many) => `${count(value)} ${value === 1 ? one : many}`;
const percent = (part, whole) => {
  if (!whole) return "–";
  const share = (100 * part) / whole;
  if (part && share < 0.1) return "under 0.1 %";
  return `${share < 10 && share % 1 ? share.toFixed(1) : Math.round(share)} %`;
};
const ms = (value) =>
  value < 1000 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
    : `${value < 10000 ? (value / 1000).toFixed(1) : Math.round(value / 1000)} s`;
const bytes = (value) => {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1000 && unit < 4) { value /= 1000; unit += 1; }
  return `${value < 10 && unit ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
};
const span = (seconds) => {
  for (const [size, unit] of [[86400, "d"], [3600, "h"], [60, "min"]]) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  }
  return `${Math.max(0, Math.round(seconds))} s`;
};
const period = (seconds) => ({ 1: "s", 60: "min", 3600: "h", 86400: "day" })[seconds] || span(seconds);
const ago = (data, at) => (at ? `${span((Date.parse(data.generatedAt) - Date.parse(at)) / 1000)} ago` : "–");

function put(node, text) {
  if (typeof node === "string") node = $(node);
  if (node.textContent !== text) node.textContent = text;
}
function make(tag, text, name) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  return node;
}
function draw(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
function announce(text) { $("announcer").textContent = text; }

// A table keeps its rows while their keys stay, so that focus and selection survive an update.
class Table {
  constructor(id, columns, { sort, limit, empty }) {
    this.node = $(id); this.columns = columns; this.limit = limit; this.empty = empty;
    this.sort = sort; this.descending = true; this.rows = new Map(); this.items = []; this.all = false;
    const row = make("tr");
    row.setAttribute("role", "row");
    this.heads = columns.map((column) => this.head(column, row));
    const head = make("thead");
    head.setAttribute("role", "rowgroup");
    head.append(row);
    this.body = make("tbody");
    this.body.setAttribute("role", "rowgroup");
    this.node.append(head, this.body);
    this.none = make("p", empty, "empty");
    this.more = make("button", "", "more");
    this.more.type = "button";
    this.more.hidden = true;
    this.more.addEventListener("click", () => { this.all = !this.all; this.show(this.items); });
    this.node.after(this.none, this.more);
    this.node.hidden = true;
  }
  head(column, row) {
    const cell = make("th", undefined, column.number ? "n" : column.name || "");
    cell.scope = "col";
    cell.setAttribute("role", "columnheader");
    if (column.value) {
      const button = make("button", column.label);
      button.type = "button";
      button.addEventListener("click", () => this.order(column));
      cell.append(button);
    } else cell.textContent = column.label;
    row.append(cell);
    return cell;
  }
  order(column) {
    const text = typeof column.value(this.items[0] || {}) === "string";
    this.descending = this.sort === column.label ? !this.descending : !text;
    this.sort = column.label;
    this.show(this.items);
    announce(`Sorted by ${column.label}, ${this.descending ? "descending" : "ascending"}`);
  }
  ordered(items) {
    const column = this.columns.find((one) => one.label === this.sort && one.value);
    this.heads.forEach((head, at) => {
      if (column === this.columns[at]) head.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    if (!column) return items;
    const sign = this.descending ? -1 : 1;
    return [...items].sort((a, b) => {
      const x = column.value(a), y = column.value(b);
      return (x < y ? -1 : x > y ? 1 : 0) * sign;
    });
  }
  show(items) {
    this.items = items;
    const visible = this.ordered(items).slice(0, this.all ? undefined : this.limit);
    const old = this.rows;
    this.rows = new Map();
    visible.forEach((item, place) => {
      const row = old.get(item.key) || this.row();
      old.delete(item.key);
      this.columns.forEach((column, at) => column.fill(row.cells[at], item));
      if (this.body.children[place] !== row) this.body.insertBefore(row, this.body.children[place] || null);
      this.rows.set(item.key, row);
    });
    for (const row of old.values()) row.remove();
    this.node.hidden = !visible.length;
    this.none.hidden = !!visible.length;
    const rest = items.length - (this.limit || items.length);
    this.more.hidden = rest <= 0;
    put(this.more, this.all ? "Show fewer" : `Show ${count(rest)} more`);
    this.more.setAttribute("aria-expanded", String(this.all));
  }
  row() {
    const row = make("tr");
    row.setAttribute("role", "row");
    for (const column of this.columns) {
      const cell = make(column.header ? "th" : "td", undefined, column.number ? "n" : column.name || "");
      cell.setAttribute("role", column.header ? "rowheader" : "cell");
      if (column.header) cell.scope = "row";
      else if (!column.bare) cell.dataset.label = column.label;
      row.append(cell);
    }
    return row;
  }
}
const mark = (cell, name, on) => cell.classList.toggle(name, on);
function outside(cell, text, note) {
  if (cell.dataset.text === `${text}\n${note || ""}`) return;
  cell.dataset.text = `${text}\n${note || ""}`;
  cell.replaceChildren(make("bdi", text));
  if (note) { const more = make("span", undefined, "quiet"); more.append(make("bdi", note)); cell.append(more); }
}
const cells = {
  outside: (label, value, more) => ({ label, value, header: true, fill: (cell, item) => outside(cell, value(item)), ...more }),
  count: (label, value) => ({ label, value, number: true, fill: (cell, item) => put(cell, count(value(item))) }),
  failed: (label, value) => ({
    label, value, number: true,
    fill: (cell, item) => { put(cell, count(value(item))); mark(cell, "bad", value(item) > 0); },
  }),
  ms: (label, value) => ({ label, value, number: true, fill: (cell, item) => put(cell, ms(value(item))) }),
};

function spark(cell, tool) {
  if (!cell.firstChild) {
    const svg = draw("svg", { viewBox: "0 0 120 24", preserveAspectRatio: "none", role: "img" });
    const second = 23 - (22 * Math.log10(1000)) / Math.log10(MAX_LOG_MS);
    svg.append(draw("path", { class: "grid", d: `M0 ${second.toFixed(1)}H120` }), draw("path", { class: "ok" }), draw("path", { class: "bad" }));
    cell.append(svg);
  }
  const paths = ["", ""], failed = new Set(tool.recentFailed), times = tool.recentMs;
  times.forEach((time, at) => {
    // A failure is tall enough to be seen, however quick it was.
    const low = failed.has(at) ? 6 : 1;
    const height = Math.max(low, 1 + (22 * Math.log10(Math.min(Math.max(time, 1), MAX_LOG_MS))) / Math.log10(MAX_LOG_MS));
    paths[failed.has(at) ? 1 : 0] += `M${2 * (RECENT - times.length + at) + 1.5} 24v-${height.toFixed(1)}`;
  });
  const [, ok, bad] = cell.firstChild.children;
  ok.setAttribute("d", paths[0]);
  bad.setAttribute("d", paths[1]);
  const range = `${ms(Math.min(...times))} to ${ms(Math.max(...times))}`;
  cell.firstChild.setAttribute("aria-label", `Latest ${plural(times.length, "call", "calls")}: ${range}, ${count(failed.size)} failed`);
}
function meter(share, name) {
  const svg = draw("svg", { class: `meter ${name}`, viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" });
  svg.append(draw("rect", { width: Math.round(100 * share), height: 4 }));
  return svg;
}
const away = (source) => source.breaker !== "closed";
function breaker(cell, source) {
  const words = { closed: "available", "half-open": "trying again", open: "away" };
  const held = Math.max(0, ...(source.budgets || []).map((one) => one.heldSeconds));
  let note = "";
  if (source.openSeconds > 0) note = `again in ${span(source.openSeconds)}`;
  else if (held > 0) note = `wants ${span(held)} of pause`;
  cell.replaceChildren(make("span", words[source.breaker], `state ${away(source) ? (source.breaker === "open" ? "bad" : "warn") : ""}`));
  if (note) cell.append(make("span", note, "quiet"));
}
const left = (one) => (one.enforced ? `${count(one.remaining)} of ${count(one.starts)} / ${period(one.perSeconds)}` : "no limit here");
function budget(cell, source) {
  const parts = (source.budgets || []).map((one) => `${left(one)}|${one.starts ? one.remaining / one.starts : 0}`);
  if (cell.dataset.text === parts.join()) return;
  cell.dataset.text = parts.join();
  cell.replaceChildren();
  for (const one of source.budgets || []) {
    const share = one.starts ? one.remaining / one.starts : 0;
    cell.append(make("div", left(one)));
    if (one.enforced) cell.append(meter(share, share === 0 ? "bad" : share < 0.2 ? "warn" : ""));
  }
}
function layer(cell, cache) {
  const words = { memory: "Memory", disk: "Disk", redis: "Redis" };
  outside(cell, words[cache.layer] || cache.layer, cache.suspended ? "failed, not used for a minute" : "");
  mark(cell, "bad", cache.suspended);
}
function size(cell, cache) {
  cell.replaceChildren();
  if (cache.bytes === null) { cell.textContent = "–"; return; }
  cell.append(make("div", `${bytes(cache.bytes)} of ${bytes(cache.maxBytes)}`), meter(Math.min(1, cache.bytes / cache.maxBytes), ""));
}

const tables = {
  tools: new Table("t-tools", [
    cells.outside("Tool", (one) => one.tool),
    cells.count("Calls", (one) => one.calls),
    cells.failed("Failed", (one) => one.errors),
    cells.ms("Median", (one) => one.medianMs),
    cells.ms("95 %", (one) => one.p95Ms),
    cells.ms("Slowest", (one) => one.slowestMs),
    { label: "Latest calls", name: "spark wide", bare: true, fill: spark },
  ], { sort: "Calls", empty: "No tool was called since the start." }),
  failures: new Table("t-failures", [
    { label: "Call", header: true, fill: (cell, one) => outside(cell, one.tool, `${ago(last, one.at)} · ${one.tenant}`) },
    { label: "Reason", name: "wide", bare: true, fill: (cell, one) => {
      if (cell.firstChild) return;
      const message = make("div");
      message.append(make("bdi", one.message));
      cell.append(make("bdi", one.code, "code bad"), message);
    } },
  ], { limit: 8, empty: "No call has failed since the start." }),
  sources: new Table("t-sources", [
    { label: "Source", header: true, value: (one) => one.title || one.name, fill: (cell, one) => outside(cell, one.title || one.name, one.title ? one.name : `host, ${one.use}`) },
    { label: "State", name: "wide", bare: true, value: (one) => ["closed", "half-open", "open"].indexOf(one.breaker) * 1e9 + one.calls, fill: breaker },
    cells.count("Asked", (one) => one.calls),
    cells.failed("Failed", (one) => one.failedCalls),
    { label: "Left of the limit", fill: budget },
  ], { sort: "State", limit: 12, empty: "No source was asked since the start." }),
  caches: new Table("t-caches", [
    { label: "Layer", header: true, fill: layer },
    { label: "Found", number: true, fill: (cell, one) => put(cell, percent(one.hits, one.hits + one.misses)) },
    { label: "Look-ups", number: true, fill: (cell, one) => put(cell, count(one.hits + one.misses)) },
    { label: "Size", fill: size },
  ], { empty: "The cache is switched off." }),
  tenants: new Table("t-tenants", [
    cells.outside("Tenant", (one) => one.tenant),
    cells.count("Calls", (one) => one.calls),
    cells.failed("Failed", (one) => one.errors),
    cells.count("In flight", (one) => one.inFlight),
    { label: "Last call", number: true, value: (one) => one.lastCallAt, fill: (cell, one) => put(cell, ago(last, one.lastCallAt)) },
  ], { sort: "Calls", limit: 12, empty: "Nobody has called since the start." }),
};

function showReadings(data, awaySources) {
  const calls = data.tools.reduce((sum, one) => sum + one.calls, 0);
  const failed = data.tools.reduce((sum, one) => sum + one.errors, 0);
  const [minute, before] = [data.minutes[59], data.minutes[58]];
  put("r-calls", count(calls));
  put("r-calls-note", `${count(minute[0] + before[0])} in the last 2 min`);
  put("r-failed", count(failed));
  put("r-failed-note", calls ? `${percent(failed, calls)}, ${count(minute[1] + before[1])} just now` : "no calls yet");
  mark($("r-failed"), "bad", minute[1] + before[1] > 0);
  put("r-flight", count(data.callsInFlight));
  put("r-away", count(awaySources.length));
  put("r-away-note", `of ${plural(data.sources.length, "source", "sources")}`);
  mark($("r-away"), "bad", awaySources.length > 0);
  const layers = data.caches || [], hits = layers.reduce((sum, one) => sum + one.hits, 0);
  const asked = layers.length ? layers[0].hits + layers[0].misses : 0;
  put("r-cache", data.caches ? percent(hits, asked) : "off");
  put("r-cache-note", data.caches ? `of ${plural(asked, "look-up", "look-ups")}` : "");
  const sessions = data.sessions;
  put("r-sessions", sessions.problem ? "?" : count(sessions.count));
  put("r-sessions-note", sessions.problem ? "cannot be read" : `${count(sessions.usedLately)} in the last 5 min`);
  put("sessions-line", sessions.problem ? `Research sessions cannot be read: ${sessions.problem}`
    : `${plural(sessions.count, "research session", "research sessions")} of all users; each ends after ${span(sessions.idleSeconds)} without use, and a user has at most ${count(sessions.maxPerUser)}.`);
  mark($("sessions-line"), "bad", !!sessions.problem);
}
function showActivity(minutes) {
  const top = Math.max(1, ...minutes.map(([calls]) => calls));
  const paths = ["", ""];
  minutes.forEach(([calls, failed], at) => {
    const tall = (95 * calls) / top, low = (95 * failed) / top;
    if (calls > failed) paths[0] += `M${10 * at + 1} ${96 - tall}h8v${tall - low}h-8z`;
    if (failed) paths[1] += `M${10 * at + 1} ${96 - low}h8v${low}h-8z`;
  });
  const [, ok, bad] = $("activity-chart").children;
  ok.setAttribute("d", paths[0]);
  bad.setAttribute("d", paths[1]);
  const sum = (at) => minutes.reduce((total, one) => total + one[at], 0);
  put("activity-top", sum(0) ? `${count(top)} at most` : "no calls in the last hour");
  $("activity-chart").setAttribute("aria-label", `${plural(sum(0), "call", "calls")} in the last hour, ${count(sum(1))} failed; at most ${count(top)} in one minute`);
}
function showSources(data, awaySources) {
  const limited = (one) => one.budgets.some((each) => each.enforced && (each.remaining < each.starts || each.heldSeconds > 0));
  const busy = data.sources.filter((one) => away(one) || one.calls || limited(one));
  const hosts = data.hosts.unavailable;
  tables.sources.show([...busy, ...hosts].map((one) => ({ key: `${one.use || ""} ${one.name}`, ...one })));
  const hidden = data.hosts.unavailableCount - hosts.length;
  put("sources-note", data.rateLimit.problem ? `Rate limits cannot be read: ${data.rateLimit.problem}`
    : hidden > 0 ? `and ${plural(hidden, "further host", "further hosts")} in trouble` : `${plural(data.hosts.count, "host", "hosts")} of pages visited`);
  mark($("sources-note"), "bad", !!data.rateLimit.problem);
  const idle = data.sources.filter((one) => !busy.includes(one));
  const [summary, list] = $("idle").children;
  $("idle").hidden = !idle.length;
  put(summary, `${plural(idle.length, "further source is", "further sources are")} ready and not in use`);
  const names = idle.map((one) => one.title || one.name);
  if (list.dataset.text !== names.join("\n")) {
    list.dataset.text = names.join("\n");
    list.replaceChildren(...idle.map((one) => {
      const item = make("li", undefined);
      item.append(make("bdi", one.title || one.name));
      for (const each of one.budgets) item.append(make("span", ` ${left(each)}`, "quiet"));
      return item;
    }));
  }
  const names_away = new Set(awaySources.map((one) => one.title || one.name));
  if (known.away) {
    const fresh = [...names_away].filter((one) => !known.away.has(one));
    const back = [...known.away].filter((one) => !names_away.has(one));
    if (fresh.length || back.length) announce([...fresh.map((one) => `${one} is not available`), ...back.map((one) => `${one} is available again`)].join(". "));
  }
  known.away = names_away;
}
function show(data) {
  last = data;
  const awaySources = data.sources.filter(away);
  put("server", `${data.version} · up ${span(data.uptimeSeconds)}`);
  $("server").title = `${data.instance}, started ${data.startedAt}`;
  showReadings(data, awaySources);
  showActivity(data.minutes);
  tables.tools.show(data.tools.map((one) => ({ key: one.tool, ...one })));
  let repeats = new Map();
  tables.failures.show(data.recentErrors.map((one) => {
    const name = JSON.stringify([one.at, one.tool, one.code, one.message, one.tenant]);
    repeats.set(name, (repeats.get(name) || 0) + 1);
    return { key: `${name} ${repeats.get(name)}`, ...one };
  }));
  showSources(data, awaySources);
  tables.caches.show((data.caches || []).map((one) => ({ key: one.layer, ...one })));
  tables.tenants.show(data.tenants.map((one) => ({ key: one.tenant, ...one })));
  const problems = $("problems");
  problems.hidden = !data.problems.length;
  if (problems.dataset.text !== data.problems.join("\n")) {
    problems.dataset.text = data.problems.join("\n");
    problems.replaceChildren(...data.problems.map((one) => make("li", one)));
    if (data.problems.length) announce(data.problems.join(". "));
  }
}

function state(name, text) {
  $("connection").dataset.state = name;
  put("connection-text", text);
  if (name !== known.state && (name === "lost" || known.state === "lost")) announce(text);
  known.state = name;
  document.title = name === "lost" ? "Connection lost - Sourcewright dashboard" : "Sourcewright dashboard";
}
function tick() {
  const age = known.at < 0 ? -1 : Math.round((performance.now() - known.at) / 1000);
  put("age", age < 0 ? "" : age < 4 ? "· just now" : `· figures ${span(age)} old`);
}
function lost(reason) {
  known.tries += 1;
  const wait = Math.min(MAX_WAIT_MS, POLL_MS * 2 ** (known.tries - 1));
  state("lost", "Connection lost");
  $("lost").hidden = false;
  put("lost", `${reason} ${known.at < 0 ? "There are no figures yet." : "The figures below are old."} Trying again every ${span(wait / 1000)}.`);
  next(wait);
}
function signedOut() {
  state("lost", "Signed out");
  const link = make("a", "Sign in again");
  link.href = "/dashboard";
  $("lost").replaceChildren("The sign-in has ended, and the figures below are old. ", link);
  $("lost").hidden = false;
}
function present() {
  const { data, at } = instances.get(shown);
  known.at = at;
  show(data);
  tick();
}
// Each poll may reach another server. One that is not heard any more was stopped or started anew.
function hear(data) {
  const now = performance.now(), patience = 3 * POLL_MS * (instances.size + 1);
  instances.set(data.instance, { data, at: now });
  for (const [name, { at }] of instances) if (now - at > patience) instances.delete(name);
  if (!instances.has(shown)) {
    if (shown) announce("Another server is shown");
    shown = data.instance;
    known.away = null;
  }
  const names = [...instances.keys()].sort();
  $("instances").hidden = names.length < 2;
  if ($("instance").dataset.text !== names.join("\n")) {
    $("instance").dataset.text = names.join("\n");
    $("instance").replaceChildren(...names.map((name) => new Option(name, name)));
  }
  $("instance").value = shown;
}
function take(data) {
  known.tries = 0;
  $("lost").hidden = true;
  hear(data);
  state("live", "Live");
  if (data.instance !== shown) return;
  present();
  const lamp = document.querySelector(".lamp");
  lamp.classList.remove("beat");
  requestAnimationFrame(() => lamp.classList.add("beat"));
}
function next(wait) { clearTimeout(timer); timer = setTimeout(poll, wait); }
async function poll() {
  clearTimeout(timer);
  if (paused || polling || document.hidden) return;
  polling = true;
  let answer, data;
  try {
    answer = await fetch("/dashboard/data", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.ok) data = await answer.json();
  } catch {
    if (!paused) lost("The server does not answer.");
    return;
  } finally { polling = false; }
  if (paused) return;
  if (answer.status === 401) signedOut();
  else if (!data) lost(`The server answers with status ${answer.status}.`);
  else { take(data); next(POLL_MS); }
}

$("pause").addEventListener("click", () => {
  paused = !paused;
  put("pause", paused ? "Resume" : "Pause");
  if (paused) { clearTimeout(timer); state("paused", "Paused"); } else poll();
});
$("instance").addEventListener("change", (event) => {
  shown = event.target.value;
  known.away = null;
  present();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
addEventListener("online", poll);
setInterval(tick, 1000);
poll();
