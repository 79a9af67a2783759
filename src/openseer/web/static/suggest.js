// Autocompletion under the search box.
const box = document.getElementById("q");
const form = box?.form;
let list, options = [], selected = -1, requests = 0, timer;

function close() {
  if (!list) return;
  list.hidden = true;
  selected = -1;
  box.setAttribute("aria-expanded", "false");
  box.removeAttribute("aria-activedescendant");
}

function moveSelection(step) {
  const items = [...list.children];
  if (!items.length) return;
  items[selected]?.setAttribute("aria-selected", "false");
  selected = (selected + step + items.length) % items.length;
  items[selected].setAttribute("aria-selected", "true");
  box.setAttribute("aria-activedescendant", items[selected].id);
}

function accept(one) {
  close();
  if (one.type === "title" && one.id) location.href = `/works/${encodeURIComponent(one.id)}`;
  else if (one.type === "author") location.href = `/author/${encodeURIComponent(one.text)}`;
  else if (one.type === "field") { box.value = one.text; box.focus(); }
  else { box.value = one.type === "venue" ? `venue:"${one.text}"` : one.text; form.requestSubmit(); }
}

function show(found) {
  options = found;
  list.replaceChildren(...found.map((one, number) => {
    const item = document.createElement("li");
    item.id = `suggestion-${number}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.append(one.text, Object.assign(document.createElement("small"), { textContent: one.type }));
    item.addEventListener("pointerdown", (event) => { event.preventDefault(); accept(one); });
    return item;
  }));
  selected = -1;
  list.hidden = !found.length;
  box.setAttribute("aria-expanded", String(found.length > 0));
}

async function ask() {
  const request = ++requests, typed = box.value.trim();
  if (typed.length < 2) return close();
  try {
    const response = await fetch(`/api/suggest?query=${encodeURIComponent(typed)}`);
    const body = await response.json();
    if (request === requests && document.activeElement === box) show(body.suggestions);
  } catch { close(); }
}

if (form) {
  list = Object.assign(document.createElement("ul"), { id: "suggestions", className: "suggestions", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  form.append(list);
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", "suggestions"], ["aria-expanded", "false"]]) box.setAttribute(name, value);
  box.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 90); });
  box.addEventListener("blur", close);
  box.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); moveSelection(event.key === "ArrowDown" ? 1 : -1); }
    else if (event.key === "Enter" && selected >= 0) { event.preventDefault(); accept(options[selected]); }
    else if (event.key === "Escape") close();
  });
}
