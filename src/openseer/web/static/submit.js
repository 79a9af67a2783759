// Files one after the other, folders too, with live progress; without scripts the form does the same.
const form = document.getElementById("give");
const input = document.getElementById("file");
const drop = document.getElementById("drop");
const given = document.getElementById("given");

function row(name) {
  const item = document.createElement("li"), state = document.createElement("span");
  state.textContent = "sending";
  item.append(Object.assign(document.createElement("strong"), { textContent: name }), " ", state);
  given.append(item);
  document.getElementById("progress").hidden = false;
  return state;
}

function tell(state, one) {
  if (one.cluster_id && one.outcome === "ingested") {
    const link = Object.assign(document.createElement("a"), { href: `/works/${one.cluster_id}`, textContent: "see the work" });
    state.replaceChildren(one.searchable ? "found by search: " : "read, soon found by search: ", link);
  } else if (one.outcome) state.textContent = `refused: ${one.detail || one.outcome}`;
  else state.textContent = one.state === "held" ? "being read" : "waiting for its turn";
}

async function send(file) {
  const state = row(file.name), body = new FormData();
  body.append("file", file, file.name);
  const key = document.getElementById("key")?.value;
  try {
    const answer = await fetch("/api/document", { method: "POST", body, headers: key ? { "X-Upload-Key": key } : {} });
    const told = await answer.json();
    if (!answer.ok) { state.textContent = `refused: ${told.detail}`; return; }
    follow(state, told.job);
  } catch { state.textContent = "could not be sent: try again"; }
}

function follow(state, job) {
  const events = new EventSource(`/submit/events/${job}`);
  events.addEventListener("message", (event) => JSON.parse(event.data).documents.forEach((one) => tell(state, one)));
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

async function sendAll(files) {
  for (const file of files) await send(file);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await sendAll([...input.files]);
  input.value = "";
});
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const files = (await Promise.all(entries.map(every))).flat();
  await sendAll(files.filter((file) => /\.pdf$/i.test(file.name) || entries.length === files.length));
});
