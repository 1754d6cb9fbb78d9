/** A field above the requirements that hides those without its words. */
export function addFilter(): void {
  const list = document.querySelector(".requirements");
  if (list === null) return;
  const input = Object.assign(document.createElement("input"), {
    type: "search",
    placeholder: "Id or words",
  });
  const shown = Object.assign(document.createElement("span"), { role: "status", className: "soft" });
  const label = document.createElement("label");
  label.append("Filter ", input);
  const row = Object.assign(document.createElement("div"), { className: "filter" });
  row.append(label, shown);
  list.before(row);
  input.addEventListener("input", () => {
    const words = input.value.trim().toLowerCase().split(/\s+/);
    const count = showOnly(list, words);
    const only = list.querySelector(":scope > ul > li:not([hidden]) [id]")?.id;
    const how = count === 1 ? `: check it with --grep ${only}` : "";
    shown.textContent = input.value.trim() === "" ? "" : `${count} shown${how}`;
  });
}

/** Shows all requirements again. */
function clearFilter(): void {
  const input = document.querySelector<HTMLInputElement>(".filter input");
  if (input === null) return;
  input.value = "";
  input.dispatchEvent(new Event("input"));
}

/** Headings without an entry are hidden too. @returns the number of entries that are shown */
function showOnly(list: Element, words: readonly string[]): number {
  let count = 0;
  const [word = ""] = words;
  // SEND-3 is the beginning of SEND-30 too.
  const isId = words.length === 1 && list.querySelector(`[id="${CSS.escape(word)}" i]`) !== null;
  for (const group of list.querySelectorAll<HTMLElement>(":scope > ul")) {
    const before = count;
    for (const entry of group.querySelectorAll<HTMLElement>(":scope > li")) {
      // Id and text, without operations and checks, which share most words.
      const text = entry.firstElementChild?.textContent.toLowerCase() ?? "";
      entry.hidden = isId ? !text.startsWith(`${word} `) : !words.every((one) => text.includes(one));
      if (!entry.hidden) count += 1;
    }
    group.hidden = count === before;
    if (group.previousElementSibling instanceof HTMLElement)
      group.previousElementSibling.hidden = group.hidden;
  }
  return count;
}

/** Opens the collapsed parts, selects the tabs and shows the requirements and filtered entries around the target of a link. */
export function revealTarget(): void {
  addEventListener("hashchange", reveal);
  reveal();
}

function reveal(): void {
  const id = idOf(location.hash);
  const target = document.getElementById(id);
  if (target === null) {
    revealInOtherCase(id);
    return;
  }
  for (let node: Element | null = target; node !== null; node = node.parentElement) open(node);
  target.scrollIntoView();
}

/** `#send-3` leads to SEND-3. */
function revealInOtherCase(id: string): void {
  const target = id === "" ? null : document.querySelector(`[id="${CSS.escape(id)}" i]`);
  if (target !== null) location.replace(`#${target.id}`);
}

/** A malformed fragment names nothing. */
function idOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

function open(node: Element): void {
  if (node.matches(".requirements [hidden]")) clearFilter();
  if (node instanceof HTMLDetailsElement) node.open = true;
  if (node.matches(".tabpanel")) {
    const panels = [...(node.parentElement?.querySelectorAll(":scope > .tabpanel") ?? [])];
    const tabs = node.parentElement?.querySelectorAll<HTMLInputElement>(":scope > .tabbar > input");
    const tab = tabs?.[panels.indexOf(node)];
    if (tab !== undefined) tab.checked = true;
  }
  if (node.matches(".requirements-only")) {
    const shown = document.querySelector<HTMLInputElement>("#show-requirements");
    if (shown !== null) shown.checked = true;
  }
}
