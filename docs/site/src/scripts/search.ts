/** The search field comes later than its dialog, which opens at once: it gets the focus, and what was typed until then. */
export function keepSearchText(): void {
  const dialog = document.querySelector<HTMLDialogElement>("site-search dialog");
  if (dialog === null) return;
  let typed = "";
  dialog.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
    const isText = key.length === 1 && !(ctrlKey || metaKey || altKey);
    if (isText && dialog.querySelector("input") === null) typed += key;
  });
  new MutationObserver((_, observer) => {
    const input = dialog.querySelector("input");
    if (input === null) return;
    observer.disconnect();
    if (!dialog.open) return;
    input.focus();
    if (typed === "") return;
    input.value = typed;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }).observe(dialog, { childList: true, subtree: true });
}
