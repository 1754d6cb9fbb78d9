const button = document.querySelector<HTMLButtonElement>("[data-copy-page]");

button?.addEventListener("click", async () => {
  const label = button.textContent;
  const response = await fetch(button.dataset.copyPage ?? "");
  await navigator.clipboard.writeText(await response.text());
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = label;
  }, 1500);
});

/** Escape and a click elsewhere close an open menu. */
function closeMenus(except: EventTarget | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]"))
    if (!(except instanceof Node && menu.contains(except))) menu.open = false;
}

document.addEventListener("click", ({ target }) => closeMenus(target));
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") closeMenus(null);
});
