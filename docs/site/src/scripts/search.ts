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

const stops = ".pagefind-ui__result-link, .pagefind-ui__button";

/** The arrow keys move the focus from the search field through the results, and back. */
export function addSearchArrows(): void {
  const dialog = document.querySelector<HTMLDialogElement>("site-search dialog");
  dialog?.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const input = dialog.querySelector("input");
    if (step === undefined || input === null || event.isComposing) return;
    const all: (Element | null)[] = [input, ...dialog.querySelectorAll<HTMLElement>(stops)];
    const current = all.indexOf(document.activeElement);
    const next = all[current + step];
    if (current === -1 || !(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  });
}
