// The dialog of the search, which Starlight opens: how else it opens, its keys, and what it shows before a word is typed.

/** @param onOpen gets the text for which a result is opened */
export function addSearch(onOpen: (text: string) => void): void {
  const dialog = document.querySelector<HTMLDialogElement>("site-search dialog");
  if (dialog === null) return;
  const suggestions = document.querySelector(".suggestions");
  if (suggestions !== null) dialog.querySelector(".search-container")?.append(suggestions);
  loadWhenOpened(dialog);
  const find = (text: string): void => {
    onOpen(text);
    void openFirst(dialog, text);
  };
  const open = keepText(dialog, find);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || dialog.open || hasModifier(event) || isField(event.target)) return;
    event.preventDefault();
    open("");
  });
  dialog.addEventListener("keydown", (event) => moveFocus(dialog, event));
  dialog.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key !== "Enter" || event.isComposing || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    find(target.value);
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(".pagefind-ui__result-link") !== null)
      onOpen(dialog.querySelector("input")?.value ?? "");
  });
  addNotFoundField(open);
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey;

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;

/** Starlight loads the search field when the browser is idle, which a busy one may never be: it is loaded when the dialog opens, if not before. */
function loadWhenOpened(dialog: HTMLDialogElement): void {
  const { requestIdleCallback: whenIdle } = window;
  // Without it, Starlight does not wait.
  if (typeof whenIdle !== "function") return;
  window.requestIdleCallback = (work, options) => {
    let isPending = true;
    const run: IdleRequestCallback = (deadline) => {
      if (isPending) work(deadline);
      isPending = false;
    };
    const opened = (): void => {
      if (dialog.open) run({ didTimeout: true, timeRemaining: () => 0 });
    };
    new MutationObserver(opened).observe(dialog, { attributeFilter: ["open"] });
    opened();
    return whenIdle(run, options);
  };
}

/**
 * The search field comes later than its dialog, which opens at once: it gets the focus, and what was typed until then. Enter does not wait
 * for it.
 * @returns a function that opens the dialog with a text
 */
function keepText(dialog: HTMLDialogElement, find: (text: string) => void): (text: string) => void {
  let typed = "";
  dialog.addEventListener("keydown", (event) => {
    if (hasModifier(event) || dialog.querySelector("input") !== null) return;
    if (event.key === "Enter" && typed !== "") find(typed);
    else if (event.key.length === 1) typed += event.key;
    else return;
    // Enter, and a space on a narrow screen, would press the button that closes the dialog.
    event.preventDefault();
  });
  const enter = (input: HTMLInputElement): void => {
    input.focus();
    if (typed === "") return;
    input.value = typed;
    typed = "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  new MutationObserver((_, observer) => {
    const input = dialog.querySelector("input");
    if (input === null) return;
    observer.disconnect();
    // Some screen readers do not read the title of a field.
    input.ariaLabel = input.title;
    if (dialog.open) enter(input);
  }).observe(dialog, { childList: true, subtree: true });
  return (text) => {
    typed = text;
    document.querySelector<HTMLElement>("site-search [data-open-modal]")?.click();
    const input = dialog.querySelector("input");
    if (input !== null) enter(input);
  };
}

const stops = ".pagefind-ui__result-link, .pagefind-ui__button, .suggestions a";

/** The arrow keys move the focus from the search field through the results, and back. */
function moveFocus(dialog: HTMLDialogElement, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const input = dialog.querySelector("input");
  if (step === undefined || input === null || event.isComposing) return;
  const shown = [...dialog.querySelectorAll<HTMLElement>(stops)].filter((one) => one.checkVisibility());
  const all: (Element | null)[] = [input, ...shown];
  const current = all.indexOf(document.activeElement);
  const next = all[current + step];
  if (current === -1 || !(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

/** What the search finds first for a text, whether or not the dialog shows it already. */
async function openFirst(dialog: HTMLDialogElement, text: string): Promise<void> {
  if (text.trim() === "") return;
  const { search } = await import(/* @vite-ignore */ `${import.meta.env.BASE_URL}pagefind/pagefind.js`);
  const [first] = (await search(text)).results;
  if (first === undefined) return;
  const { url } = await first.data();
  // On the same page, only the fragment changes.
  dialog.close();
  location.assign(url);
}

/** The field of the page that is shown for a missing one has the last words of the URL. */
function addNotFoundField(open: (text: string) => void): void {
  const form = document.querySelector<HTMLFormElement>(".find");
  const input = form?.querySelector("input");
  if (form === null || input === null || input === undefined) return;
  const [, words = ""] = /([^/]*)\/?$/.exec(location.pathname) ?? [];
  input.value = words.replaceAll(/%[0-9a-f]{2}|\.\w+$|[^a-z0-9]+/gi, " ").trim();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    open(input.value);
  });
}
