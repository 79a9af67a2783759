// Saved works, in the storage of this browser only.
const read = () => { try { return JSON.parse(localStorage.getItem("cart")) ?? {}; } catch { return {}; } };

function write(cart) {
  try { localStorage.setItem("cart", JSON.stringify(cart)); } catch { /* storage is switched off */ }
  show();
}

function show() {
  const cart = read(), count = Object.keys(cart).length;
  for (const badge of document.querySelectorAll("[data-cart-count]")) badge.textContent = count ? ` ${count}` : "";
  for (const button of document.querySelectorAll("[data-save]")) {
    const saved = button.dataset.save in cart;
    button.textContent = saved ? "Saved" : "Save";
    button.setAttribute("aria-pressed", String(saved));
  }
  const list = document.getElementById("cart");
  if (list) fill(list, cart);
}

function fill(list, cart) {
  const ids = Object.keys(cart);
  list.replaceChildren(...ids.map((id) => {
    const item = document.createElement("li");
    const link = Object.assign(document.createElement("a"), { href: `/works/${id}`, textContent: cart[id] });
    const remove = Object.assign(document.createElement("button"), { className: "link", textContent: "Remove", type: "button" });
    remove.setAttribute("aria-label", `Remove ${cart[id]}`);
    remove.addEventListener("click", () => { const now = read(); delete now[id]; write(now); });
    item.append(link, " ", remove);
    return item;
  }));
  document.getElementById("cart-empty").hidden = ids.length > 0;
  document.getElementById("cart-form").hidden = !ids.length;
  document.getElementById("cart-ids").value = ids.join(",");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-save]");
  if (button) {
    const cart = read(), id = button.dataset.save;
    if (id in cart) delete cart[id]; else cart[id] = button.dataset.title || id;
    write(cart);
  }
  if (event.target.closest("[data-cart-clear]")) write({});
});
window.addEventListener("storage", show);
show();
