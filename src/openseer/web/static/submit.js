// Files and addresses one after the other, folders and archives too, with live progress; without scripts the form does the same.
const form = document.getElementById("give");
const input = document.getElementById("file");
const address = document.getElementById("url");
const drop = document.getElementById("drop");
const given = document.getElementById("given");

function row(name, list = given, told = "sending") {
  const item = document.createElement("li"), state = document.createElement("span");
  state.textContent = told;
  item.append(Object.assign(document.createElement("strong"), { textContent: name }), " ", state);
  list.append(item);
  document.getElementById("progress").hidden = false;
  return state;
}

// Between backticks stand names of settings.
function say(state, text) {
  state.replaceChildren(...text.split("`").map((part, place) => (place % 2 ? Object.assign(document.createElement("code"), { textContent: part }) : part)));
}

function tell(state, one, known) {
  if (one.cluster_id && one.outcome === "ingested") {
    const link = Object.assign(document.createElement("a"), { href: `/works/${one.cluster_id}`, textContent: "see the work" });
    state.replaceChildren(known ? "was here already: " : one.searchable ? "found by search: " : "read, soon found by search: ", link);
  } else if (one.outcome) say(state, `${known ? "was here already, and was refused" : "refused"}: ${one.detail || one.outcome}`);
  else state.textContent = one.state === "held" ? "being read" : "waiting for its turn";
}

async function send(name, part, value, waiting) {
  const state = row(name, given, waiting), body = new FormData();
  body.append(part, value, ...(part === "file" ? [name] : []));
  const key = document.getElementById("key")?.value;
  try {
    const answer = await fetch("/api/document", { method: "POST", body, headers: key ? { "X-Upload-Key": key } : {} });
    const told = await answer.json();
    if (!answer.ok) { say(state, `refused: ${told.detail} ${told.hint ?? ""}`); return; }
    follow(state, told);
  } catch { state.textContent = "could not be sent: try again"; }
}

// An archive gets a list of its own, with a row for each file in it.
function rows(state, told) {
  if (told.documents.length === 1 && !told.refused.length) return new Map([[told.documents[0].sha1, state]]);
  const list = Object.assign(document.createElement("ul"), { className: "given" });
  state.textContent = `${told.documents.length} taken, ${told.refused.length} refused`;
  state.after(list);
  told.refused.forEach((one) => row(one.name, list, `refused: ${one.message}`));
  return new Map(told.documents.map((one) => [one.sha1, row(one.name, list, "waiting for its turn")]));
}

function follow(state, told) {
  const states = rows(state, told), known = new Set(told.documents.filter((one) => one.known).map((one) => one.sha1));
  const events = new EventSource(`/submit/events/${told.job}`);
  events.addEventListener("message", (event) => JSON.parse(event.data).documents.forEach((one) => states.has(one.sha1) && tell(states.get(one.sha1), one, known.has(one.sha1))));
  events.addEventListener("over", () => events.close());
}

async function every(entry) {
  if (entry.isFile) return [await new Promise((done, fail) => entry.file(done, fail))];
  const reader = entry.createReader(), found = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return found;
    for (const one of some) found.push(...await every(one));
  }
}

async function sendAll(files, addresses) {
  for (const file of files) await send(file.name, "file", file, "sending");
  for (const one of addresses) await send(one, "url", one, "being fetched");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const files = [...input.files], addresses = address.value.split(/\r?\n/).map((one) => one.trim()).filter(Boolean);
  input.value = address.value = "";
  await sendAll(files, addresses);
});
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const files = (await Promise.all(entries.map(every))).flat();
  await sendAll(files.filter((file) => /\.(pdf|zip)$/i.test(file.name) || entries.length === files.length), []);
});
