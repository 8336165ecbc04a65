// The page: asks the server while you type, shows what it draws, and tells why on a click.
// Text from the server is only ever set as text; pictures are parsed as XML that the server has escaped.

const find = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const PAUSE = 200; // milliseconds without a key before the server is asked
const EXAMPLE = "The ferry leaves the harbour at dawn. Who has seen the captain's hat?";

const state = { models: [], model: "", effort: "", asked: 0, abort: null, parsed: null, seen: {} };

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

async function ask(path, body, signal) {
  const options = body
    ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal }
    : { signal };
  const reply = await fetch(path, options);
  let answer = {};
  try {
    answer = await reply.json();
  } catch {
    // told by the status below
  }
  if (!reply.ok) throw new Error(answer.error?.message ?? `the server answered ${reply.status}`);
  return answer;
}

function notice(message) {
  find("notice").textContent = message;
  find("notice").hidden = !message;
}

const request = () => ({ model: state.model, text: find("text").value, effort: state.effort });
const rows = () => [...document.querySelectorAll(".rows input:checked")].map((box) => box.value);

async function parse() {
  const turn = ++state.asked;
  state.abort?.abort();
  state.abort = new AbortController();
  const { signal } = state.abort;
  closeWhy();
  if (!find("text").value.trim()) {
    clear();
    notice("");
    return;
  }
  find("trees").classList.add("stale");
  let drawn = false;
  try {
    const width = Math.max(240, find("trees").clientWidth - 20);
    const asked = request();
    const answer = await ask("api/parse", { ...asked, svg: true, width, rows: rows() }, signal);
    if (turn !== state.asked) return;
    drawn = true;
    state.parsed = asked;
    show(answer);
    notice("");
    figures(answer);
    // The other efforts on the same text, so that the choice can be seen before it is made.
    for (const effort of efforts()) {
      if (effort === state.effort) continue;
      const other = await ask("api/parse", { ...asked, effort }, signal);
      if (turn !== state.asked) return;
      figures(other);
    }
  } catch (error) {
    if (turn !== state.asked) return;
    if (!drawn) clear(); // what is shown belongs to another text
    notice(error.message);
  } finally {
    if (turn === state.asked) find("trees").classList.remove("stale");
  }
}

function clear() {
  state.parsed = null;
  find("trees").replaceChildren();
  find("hint").hidden = true;
  clearFigures();
}

function show(answer) {
  const parser = new DOMParser();
  const explained = chosenModel()?.explained.includes(answer.effort);
  const drawn = answer.svg.map((text, sentence) => {
    const picture = document.importNode(parser.parseFromString(text, "image/svg+xml").documentElement, true);
    for (const part of explained ? picture.querySelectorAll(".word, .arc") : []) {
      part.classList.add("explained");
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "button");
      part.dataset.sentence = sentence;
    }
    return make("figure", { "data-sentence": sentence, dir: "auto" }, picture);
  });
  find("trees").replaceChildren(...drawn);
  find("hint").hidden = !drawn.length;
  find("hint").textContent = explained
    ? "Click a word or an arc to see why."
    : `Trees of the effort ${answer.effort} are searched for, not made by single decisions: choose another effort to see why.`;
}

const chosenModel = () => state.models.find((model) => model.name === state.model);
const efforts = () => chosenModel()?.efforts ?? [];

function showEfforts() {
  const known = efforts();
  if (!known.includes(state.effort)) state.effort = known.includes("balanced") ? "balanced" : known[0];
  const choices = known.map((effort) => {
    const input = make("input", { type: "radio", name: "effort", value: effort });
    input.checked = effort === state.effort;
    const meter = make("span", { class: "meter", "aria-hidden": "true" });
    const bar = draw("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none" });
    bar.append(draw("rect", { width: 0, height: 4 }));
    meter.append(bar);
    return make(
      "label",
      { class: "effort", "data-effort": effort },
      input,
      make("strong", {}, effort),
      meter,
      make("span", { class: "figure templates" }),
      make("span", { class: "figure speed" }),
    );
  });
  find("efforts").replaceChildren(find("efforts").firstElementChild, ...choices);
}

function clearFigures() {
  state.seen = {};
  for (const one of document.querySelectorAll(".effort")) one.removeAttribute("title");
  for (const one of document.querySelectorAll(".effort .figure")) one.textContent = "";
  for (const one of document.querySelectorAll(".effort rect")) one.setAttribute("width", 0);
}

function figures(answer) {
  const choice = document.querySelector(`.effort[data-effort="${CSS.escape(answer.effort)}"]`);
  if (!choice) return;
  const sum = (name) => answer.cost.reduce((total, one) => total + one[name], 0);
  const words = Math.max(1, answer.words);
  const seen = (state.seen[answer.effort] ??= { templates: 0 });
  seen.templates = sum("templates") / words;
  choice.querySelector(".templates").textContent = `${seen.templates.toFixed(2)} templates per word`;
  // On a short text the calls themselves weigh more than the words: what the server measured on a long one is shown.
  const micro = (seconds) => `${(1e6 * seconds).toFixed(2)} µs per word`;
  const long = state.models.find((model) => model.name === answer.model)?.seconds_per_word[answer.effort];
  if (long) choice.querySelector(".speed").textContent = `${micro(long)} of a long text`;
  const most = Math.max(1e-9, ...Object.values(state.seen).map((one) => one.templates));
  for (const [effort, one] of Object.entries(state.seen))
    document
      .querySelector(`.effort[data-effort="${CSS.escape(effort)}"] rect`)
      ?.setAttribute("width", (100 * one.templates) / most);
  choice.title = [`this text: ${micro(sum("seconds") / words)}, calls included`, ...answer.cost
    .map((one) => `${one.component}: ${one.decisions} decisions, ${one.templates} templates, ${one.rows} rows`)]
    .join("\n");
}

async function why(part) {
  if (!state.parsed) return;
  for (const one of document.querySelectorAll(".asked")) one.classList.remove("asked");
  const word = Number(part.dataset.word);
  const sentence = Number(part.dataset.sentence);
  const isArc = part.classList.contains("arc");
  part.classList.add("asked");
  try {
    const answer = await ask("api/explain", { ...state.parsed, sentence, word });
    const arcs = answer.explanations.filter((one) => ["head", "deprel", "parser", "labeler"].some((name) => name === one.question || name === one.component));
    const chosen = isArc && arcs.length ? arcs : answer.explanations;
    find("why-title").textContent = chosen.length ? `Why “${chosen[0].form}”?` : "Why?";
    find("why-body").replaceChildren(
      ...(isArc && !arcs.length ? [make("p", { class: "reason" }, "No decision of this model made the arc; these are about the word.")] : []),
      ...chosen.map(decision),
    );
    find("why").hidden = false;
    find("why").scrollTop = 0;
    document.body.classList.add("explaining");
    const below = part.getBoundingClientRect().bottom + 20 - find("why").getBoundingClientRect().top;
    if (below > 0) scrollBy({ top: below });
  } catch (error) {
    notice(error.message);
  }
}

function decision(one) {
  return make("section", {}, ...details(one));
}

function details(one) {
  const title = one.runner_up === null ? one.label : `${one.label} rather than ${one.runner_up}`;
  const parts = [make("h3", {}, `${one.question}: ${title}`), make("p", { class: "reason" }, `${one.reason} (${one.component})`)];
  if (one.effect) parts.splice(1, 0, make("p", { class: "effect" }, one.effect));
  if (one.runner_up === null) return parts;
  const head = make("tr", {});
  for (const [name, kind] of [["#", "number"], ["template", ""], ["found", "number"], [one.label, "number"], [one.runner_up, "number"], ["", ""], ["lead", "number"]])
    head.append(make("th", { class: kind, scope: "col", title: name }, name));
  const body = make("tbody");
  const largest = Math.max(1e-9, ...one.steps.map((step) => Math.abs(step.contributions[0] - step.contributions[1])));
  let lead = one.start[0] - one.start[1];
  one.steps.forEach((step, index) => {
    const [own, other] = step.contributions;
    lead += own - other;
    const row = make("tr", step.found ? { class: "step" } : { class: "step unknown" });
    row.append(
      make("td", { class: "number" }, String(index + 1)),
      make("td", { class: "template" }, step.template),
      make("td", { class: "number" }, `${step.found}/${step.features}`),
      make("td", { class: "number" }, signed(own)),
      make("td", { class: "number" }, signed(other)),
      make("td", {}, bar((own - other) / largest)),
      make("td", { class: "number" }, lead.toFixed(2)),
    );
    body.append(row);
    const check = one.checks.find((exit) => exit.depth === index + 1);
    if (check) body.append(exit(check, index + 1 === one.steps.length));
  });
  return [...parts, make("table", {}, make("thead", {}, head), body)];
}

function exit(check, last) {
  const verdict =
    check.needed === null
      ? `the end: ${check.best} leads by ${check.margin.toFixed(2)}`
      : `${check.best} leads by ${check.margin.toFixed(2)}, ${check.needed.toFixed(2)} needed: ${last ? "stop" : "go on"}`;
  return make("tr", { class: last ? "exit stop" : "exit" }, make("td", { colspan: "7" }, verdict));
}

function bar(share) {
  const picture = draw("svg", { class: "bar", viewBox: "-50 0 100 10", preserveAspectRatio: "none" });
  const width = Math.abs(share) * 50;
  picture.append(draw("line", { x1: 0, x2: 0, y1: 0, y2: 10 }));
  picture.append(draw("rect", { class: share < 0 ? "against" : "for", x: share < 0 ? -width : 0, y: 2, width, height: 6 }));
  return picture;
}

const signed = (value) => (value > 0 ? "+" : "") + value.toFixed(2);

function closeWhy() {
  find("why").hidden = true;
  document.body.classList.remove("explaining");
}

function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
}

let timer = 0;
function soon() {
  clearTimeout(timer);
  timer = setTimeout(parse, PAUSE);
}

find("text").addEventListener("input", soon);
find("efforts").addEventListener("change", (event) => {
  state.effort = event.target.value;
  parse();
});
find("model").addEventListener("change", (event) => {
  state.model = event.target.value;
  state.seen = {};
  showEfforts();
  parse();
});
document.querySelector(".rows").addEventListener("change", parse);
find("trees").addEventListener("click", (event) => {
  const part = event.target.closest(".explained");
  if (part) why(part);
});
find("trees").addEventListener("keydown", (event) => {
  const part = event.target.closest(".explained");
  if (part && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    why(part);
  }
});
find("close").addEventListener("click", closeWhy);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeWhy();
});
find("theme").addEventListener("click", theme);
let wide = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== wide) {
    wide = innerWidth;
    soon();
  }
});

try {
  const known = await ask("api/models");
  state.models = known.models;
  state.model = known.default;
  find("model").replaceChildren(...known.models.map((model) => make("option", { value: model.name }, model.name)));
  find("model-choice").hidden = known.models.length < 2;
  showEfforts();
  if (!find("text").value) find("text").value = EXAMPLE;
  parse();
} catch (error) {
  notice(error.message);
}
