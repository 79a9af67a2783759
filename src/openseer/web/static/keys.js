// Keyboard shortcuts.
const KEYS = [
  ["/", "go to the search box"], ["j", "next work"], ["k", "previous work"], ["o", "open the work"],
  ["c", "cite the work"], ["s", "save the work for export"], ["?", "list the shortcuts"], ["Esc", "close"],
];
let at = -1;

const works = () => [...document.querySelectorAll(".result")].filter((one) => one.offsetParent);
const current = () => works()[at];

function move(step) {
  const all = works();
  if (!all.length) return;
  all[at]?.classList.remove("at");
  at = Math.max(0, Math.min(all.length - 1, at + step));
  all[at].classList.add("at");
  all[at].querySelector("h3 a")?.focus({ preventScroll: true });
  all[at].scrollIntoView({ block: "nearest" });
}

function press(selector) {
  (current() ?? document.querySelector("main")).querySelector(selector)?.click();
}

function list() {
  const dialog = document.createElement("dialog");
  const title = Object.assign(document.createElement("h2"), { textContent: "Keyboard shortcuts", id: "keys-title" });
  const names = Object.assign(document.createElement("dl"), { className: "keys" });
  for (const [key, meaning] of KEYS) {
    const term = document.createElement("dt");
    term.append(Object.assign(document.createElement("kbd"), { textContent: key }));
    names.append(term, Object.assign(document.createElement("dd"), { textContent: meaning }));
  }
  dialog.setAttribute("aria-labelledby", "keys-title");
  dialog.append(title, names);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

const ACTIONS = {
  "/": () => { const box = document.getElementById("q"); box?.focus(); box?.select(); },
  j: () => move(1),
  k: () => move(-1),
  o: () => press("h3 a"),
  c: () => press("[data-cite]"),
  s: () => press("[data-save]"),
  "?": list,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const action = ACTIONS[event.key];
  if (!action || (event.key === "o" && !current())) return;
  event.preventDefault();
  action();
});
