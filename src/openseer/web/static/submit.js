// Uploads files, folders, archives and links one after the other, with live progress. The form works without scripts too.
const form = document.getElementById("give");
const input = document.getElementById("file");
const links = document.getElementById("url");
const drop = document.getElementById("drop");
const uploads = document.getElementById("given");

function row(name, list = uploads, text = "uploading") {
  const item = document.createElement("li"), state = document.createElement("span");
  state.textContent = text;
  item.append(Object.assign(document.createElement("strong"), { textContent: name }), " ", state);
  list.append(item);
  document.getElementById("progress").hidden = false;
  return state;
}

// Names of settings are in backticks.
function showText(state, text) {
  state.replaceChildren(...text.split("`").map((part, index) => (index % 2 ? Object.assign(document.createElement("code"), { textContent: part }) : part)));
}

function showStatus(state, one, known) {
  if (one.cluster_id && one.outcome === "ingested") {
    const link = Object.assign(document.createElement("a"), { href: `/works/${one.cluster_id}`, textContent: "see the work" });
    state.replaceChildren(known ? "already in the library: " : one.searchable ? "added: " : "extracted, will appear in search soon: ", link);
  } else if (one.outcome) showText(state, `${known ? "already uploaded and rejected earlier" : "rejected"}: ${one.detail || one.outcome}`);
  else state.textContent = one.state === "held" ? "being processed" : "queued";
}

async function send(name, part, value, waiting) {
  const state = row(name, uploads, waiting), body = new FormData();
  body.append(part, value, ...(part === "file" ? [name] : []));
  try {
    const response = await fetch("/api/document", { method: "POST", body });
    const result = await response.json();
    if (!response.ok) { showText(state, `rejected: ${result.detail} ${result.hint ?? ""}`); return; }
    followJob(state, result);
  } catch { state.textContent = "upload failed: try again"; }
}

// An archive gets its own list, with a row for each file in it.
function rows(state, result) {
  if (result.documents.length === 1 && !result.refused.length) return new Map([[result.documents[0].sha1, state]]);
  const list = Object.assign(document.createElement("ul"), { className: "given" });
  state.textContent = `${result.documents.length} accepted, ${result.refused.length} rejected`;
  state.after(list);
  result.refused.forEach((one) => row(one.name, list, `rejected: ${one.message}`));
  return new Map(result.documents.map((one) => [one.sha1, row(one.name, list, "queued")]));
}

function followJob(state, result) {
  const states = rows(state, result), known = new Set(result.documents.filter((one) => one.known).map((one) => one.sha1));
  const events = new EventSource(`/submit/events/${result.job}`);
  events.addEventListener("message", (event) => JSON.parse(event.data).documents.forEach((one) => states.has(one.sha1) && showStatus(states.get(one.sha1), one, known.has(one.sha1))));
  events.addEventListener("over", () => events.close());
}

async function filesIn(entry) {
  if (entry.isFile) return [await new Promise((done, fail) => entry.file(done, fail))];
  const reader = entry.createReader(), found = [];
  for (;;) {
    const batch = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!batch.length) return found;
    for (const one of batch) found.push(...await filesIn(one));
  }
}

async function sendAll(files, urls) {
  for (const file of files) await send(file.name, "file", file, "uploading");
  for (const one of urls) await send(one, "url", one, "fetching");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const files = [...input.files], urls = links.value.split(/\r?\n/).map((one) => one.trim()).filter(Boolean);
  input.value = links.value = "";
  await sendAll(files, urls);
});
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const files = (await Promise.all(entries.map(filesIn))).flat();
  await sendAll(files.filter((file) => /\.(pdf|e?ps|x?html?|xml|txt|md|docx?|odt|rtf|pptx?|zip|tar|t?gz|t?bz2?|t?xz|t?zst|z|7z|rar|cpio)$/i.test(file.name) || entries.length === files.length), []);
});
