// Colour theme, works shown, copy buttons, cite dialog, years by dragging, local dates, previews of references.
const each = (selector, action) => document.querySelectorAll(selector).forEach(action);

each("input[name=theme]", (radio) => {
  radio.checked = radio.value === (document.documentElement.dataset.theme ?? "auto");
  radio.addEventListener("change", () => {
    if (radio.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = radio.value;
    try { localStorage.setItem("theme", radio.value); } catch { /* storage is switched off */ }
  });
});

// "In this library" stays switched on for the visit: the search form of every page asks for it.
try {
  const shown = document.querySelector(".switch [aria-current]");
  if (shown) sessionStorage.setItem("full", shown.dataset.full);
  each("form[role=search]", (form) => {
    if (sessionStorage.getItem("full") && !form.elements.full)
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "full", value: "true" }));
  });
} catch { /* storage is switched off */ }

// After the first paint: layout below the fold, and dates (the first formatted date of a browser is slow).
(globalThis.requestIdleCallback ?? setTimeout)(() => {
  document.documentElement.classList.add("seen");
  const dateFormat = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
  each("time[datetime*=T]", (time) => {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.valueOf())) return;
    time.title = time.dateTime;
    time.textContent = dateFormat.format(moment);
  });
});

document.addEventListener("click", async (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy) await copyText(copy);
  const cite = event.target.closest("a[data-cite]");
  if (cite && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    await showCiteDialog(cite);
  }
});

async function copyText(button) {
  const source = (button.closest(".cite") ?? document).querySelector(`#${button.dataset.copy}`);
  try {
    await navigator.clipboard.writeText(source.innerText);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(source);
    button.textContent = "Selected: press Ctrl+C";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
}

async function showCiteDialog(link) {
  const response = await fetch(link.href, { headers: { accept: "text/html" } });
  if (!response.ok) { location.href = link.href; return; }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", "Cite");
  const close = Object.assign(document.createElement("button"), { className: "quiet", textContent: "Close", type: "button" });
  close.addEventListener("click", () => dialog.close());
  dialog.append(document.importNode(page.querySelector(".cite"), true), close);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

each("svg[data-years]", (chart) => {
  const low = document.getElementById("low"), high = document.getElementById("high");
  if (!low || !high) return;
  chart.classList.add("picking");
  const yearAt = (x) => {
    const columns = [...chart.querySelectorAll("[data-year]")];
    const nearest = columns.reduce((best, one) => {
      const box = one.getBoundingClientRect(), distance = Math.abs(box.left + box.width / 2 - x);
      return distance < best[0] ? [distance, one] : best;
    }, [Infinity, columns[0]]);
    return nearest[1].dataset;
  };
  let from = null;
  chart.addEventListener("pointerdown", (event) => { from = event.clientX; });
  chart.addEventListener("dragstart", (event) => event.preventDefault());
  addEventListener("pointerup", (event) => {
    if (from !== null && Math.abs(event.clientX - from) > 8) {
      const [one, other] = [yearAt(Math.min(from, event.clientX)), yearAt(Math.max(from, event.clientX))];
      low.value = one.year;
      high.value = other.last ?? other.year;
      low.form.requestSubmit();
    }
    from = null;
  });
});

each(".text", (text) => {
  let card;
  const drop = () => { card?.remove(); card = undefined; };
  const show = (event) => {
    const mark = event.target.closest?.("a.mark");
    drop();
    const entry = mark && document.querySelector(mark.getAttribute("href"));
    if (!entry) return;
    card = Object.assign(document.createElement("div"), { className: "card" });
    card.append(...[...entry.childNodes].map((node) => node.cloneNode(true)));
    document.body.append(card);
    const box = mark.getBoundingClientRect();
    card.style.left = `${Math.max(8, Math.min(box.left, innerWidth - card.offsetWidth - 8)) + scrollX}px`;
    card.style.top = `${box.bottom + 6 + scrollY}px`;
  };
  text.addEventListener("pointerover", show);
  text.addEventListener("focusin", show);
  document.addEventListener("keydown", (event) => event.key === "Escape" && drop());
  document.addEventListener("pointerdown", (event) => !event.target.closest(".card") && drop());
});
