// The page: asks the server while you type, shows what it draws, and tells why on a click.
// Text from the server is only ever set as text; pictures are parsed as XML that the server has escaped.

const find = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const PAUSE = 200; // milliseconds without a key before the server is asked
const EXAMPLE = "The ferry leaves the harbour at dawn. Who has seen the captain's hat?";

const state = { models: [], model: "", effort: "", asked: 0, abort: null, parsed: null, answer: null, seen: {} };

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
    const compared = find("compare").checked;
    const room = find("trees").clientWidth;
    const width = Math.max(240, (compared ? Math.max(272, room / efforts().length - 16) : room) - 20);
    const asked = request();
    const picture = { svg: true, width, rows: rows() };
    const answer = await ask("api/parse", { ...asked, ...picture }, signal);
    if (turn !== state.asked) return;
    drawn = true;
    state.parsed = asked;
    state.answer = answer;
    show(answer);
    if (!compared) find("trees").classList.remove("stale"); // the other efforts change nothing of it
    remember();
    notice("");
    figures(answer);
    // The other efforts on the same text, so that the choice can be seen before it is made.
    const answers = { [state.effort]: answer };
    for (const effort of efforts()) {
      if (effort === state.effort) continue;
      const other = await ask("api/parse", { ...asked, effort, ...(compared ? picture : {}) }, signal);
      if (turn !== state.asked) return;
      figures(other);
      answers[effort] = other;
    }
    if (compared) showCompared(efforts().map((effort) => answers[effort]), answer);
  } catch (error) {
    if (turn !== state.asked) return;
    if (!drawn) clear(); // what is shown belongs to another text
    notice(error.message);
  } finally {
    if (turn === state.asked) find("trees").classList.remove("stale");
  }
}

function clear() {
  state.parsed = state.answer = null;
  find("tools").hidden = true;
  find("trees").replaceChildren();
  find("hint").hidden = true;
  clearFigures();
}

function show(answer) {
  const explained = chosenModel()?.explained.includes(answer.effort);
  const drawn = pictures(answer, explained);
  find("trees").classList.remove("compared");
  find("trees").replaceChildren(...drawn);
  find("tools").hidden = !drawn.length;
  const several = drawn.length === 1 ? "1 sentence" : `${drawn.length} sentences`;
  find("count").textContent = `${several}, ${answer.words} words`;
  find("hint").hidden = !drawn.length;
  find("hint").textContent = explained
    ? "Click a word or an arc to see why."
    : `Trees of the effort ${answer.effort} are searched for, not made by single decisions: choose another effort to see why.`;
}

function pictures(answer, explained) {
  const parser = new DOMParser();
  return answer.svg.map((text, sentence) => {
    const picture = document.importNode(parser.parseFromString(text, "image/svg+xml").documentElement, true);
    for (const part of explained ? picture.querySelectorAll(".word, .arc") : []) {
      part.classList.add("explained");
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "button");
      part.dataset.sentence = sentence;
    }
    const figure = make("figure", { "data-sentence": sentence, dir: "auto" }, picture);
    const said = entities(answer.document.sentences[sentence]).map(([text, label]) =>
      make("span", { class: "entity", dir: "auto" }, text, make("b", {}, label)),
    );
    if (answer.svg.length > 1) said.unshift(make("span", { dir: "ltr" }, `${sentence + 1} of ${answer.svg.length}`));
    if (said.length) figure.append(make("figcaption", {}, ...said));
    return figure;
  });
}

// Text and label of each entity. Words stand in the text one after another, unless columns of offsets say where; these
// count characters, of which one may be two units of a string here.
function entities(sentence) {
  const { form, start, end } = sentence.words;
  const characters = start && Array.from(sentence.text);
  const spans = [];
  let at = 0;
  for (const one of form) {
    const from = sentence.text.indexOf(one, at);
    at = from + one.length;
    spans.push([from, at]);
  }
  const known = start ? !start.includes(null) : spans.every(([from]) => from >= 0);
  return (sentence.entities ?? []).map(({ label, first, last }) => {
    if (!known) return [form.slice(first - 1, last).join(" "), label];
    if (start) return [characters.slice(start[first - 1], end[last - 1]).join(""), label];
    return [sentence.text.slice(spans[first - 1][0], spans[last - 1][1]), label];
  });
}

// One column for each effort; words that differ from the chosen effort's are marked where both have the same words.
function showCompared(answers, chosen) {
  const columns = answers.map((answer) => {
    const figures = pictures(answer, false);
    let different = 0;
    figures.forEach((figure, number) => {
      const own = answer.document.sentences[number].words;
      const other = chosen.document.sentences[number]?.words;
      const same = other && own.form.length === other.form.length && own.form.every((form, i) => form === other.form[i]);
      own.form.forEach((_, i) => {
        const differs = (name) => !same || own[name]?.[i] !== other[name]?.[i];
        const arc = differs("head") || differs("deprel");
        const word = differs("upos") || differs("lemma") || differs("feats");
        if (!arc && !word) return;
        different += 1;
        for (const part of figure.querySelectorAll(`[data-word="${i + 1}"]`))
          if (part.classList.contains("arc") ? arc : word || arc) part.classList.add("differs");
      });
    });
    const told = answer === chosen ? "chosen" : different === 0 ? "the same" : different === 1 ? "1 word differs" : `${different} words differ`;
    return make("section", { class: "column" }, make("h2", {}, `${answer.effort} `, make("small", {}, told)), ...figures);
  });
  find("trees").classList.add("compared");
  find("trees").replaceChildren(...columns);
  find("hint").textContent = "Words that differ from the chosen effort are marked.";
}

function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

async function save(kind) {
  if (!state.parsed) return;
  try {
    if (kind === "json") return download("laconic.json", "application/json", JSON.stringify(state.answer.document, null, 1) + "\n");
    const answer = await ask("api/parse", { ...state.parsed, export: kind, rows: rows() });
    download(`laconic.${kind}`, kind === "svg" ? "image/svg+xml" : "text/plain", answer.export);
  } catch (error) {
    notice(error.message);
  }
}

// The address tells text and settings behind its #, which browsers do not send: the server logs none of it.
function remember() {
  const told = new URLSearchParams({ text: find("text").value, model: state.model, effort: state.effort, rows: rows().join(" ") });
  if (find("compare").checked) told.set("compare", "1");
  history.replaceState(null, "", `#${told}`);
}

function recall() {
  const told = new URLSearchParams(location.hash.slice(1));
  if (!told.has("text")) return false;
  find("text").value = told.get("text");
  if (state.models.some((model) => model.name === told.get("model"))) state.model = told.get("model");
  find("model").value = state.model;
  state.effort = told.get("effort") ?? "";
  const wanted = (told.get("rows") ?? "upos").split(" ");
  for (const box of document.querySelectorAll(".rows input")) box.checked = wanted.includes(box.value);
  find("compare").checked = told.get("compare") === "1";
  showEfforts();
  return true;
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
find("compare").addEventListener("change", parse);
for (const button of document.querySelectorAll("[data-export]"))
  button.addEventListener("click", () => save(button.dataset.export));
find("link").addEventListener("click", async () => {
  remember();
  try {
    await navigator.clipboard.writeText(location.href);
    find("link").textContent = "copied";
  } catch {
    find("link").textContent = "see the address"; // the clipboard is for pages that are served safely
  }
  setTimeout(() => (find("link").textContent = "link"), 2000);
});
addEventListener("hashchange", () => {
  if (recall()) parse();
});
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
  if (!recall() && !find("text").value) find("text").value = EXAMPLE;
  parse();
} catch (error) {
  notice(error.message);
}
