import { clearFilter } from "./filter.ts";

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
