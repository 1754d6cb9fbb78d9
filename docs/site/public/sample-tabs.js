// Turns the samples of an operation into tabs. Without this script they are stacked, each below its heading.
const storageKey = "sample-language";

/** The language chosen last. If the browser disables storage, each page starts with the first language. */
const choice = {
  read() {
    try {
      return localStorage.getItem(storageKey) ?? "";
    } catch {
      return "";
    }
  },
  write(title) {
    try {
      localStorage.setItem(storageKey, title);
    } catch {
      // The choice applies to this page only.
    }
  },
};

class SampleTabs extends HTMLElement {
  connectedCallback() {
    const headings = [...this.querySelectorAll("h4")];
    if (headings.length < 2) return;
    this.tabs = headings.map((heading, index) => this.createTab(heading, index, headings[index + 1]));
    const list = document.createElement("div");
    list.role = "tablist";
    list.ariaLabel = "Language";
    list.append(...this.tabs.map(({ tab }) => tab));
    list.addEventListener("keydown", (event) => this.move(event));
    this.prepend(list);
    document.addEventListener(storageKey, ({ detail }) => this.show(detail));
    this.show(choice.read());
  }

  /** The content between one heading and the next becomes the panel of a tab. */
  createTab(heading, index, next) {
    const title = heading.textContent.trim();
    const start = heading.closest(".sl-heading-wrapper") ?? heading;
    const end = next && (next.closest(".sl-heading-wrapper") ?? next);
    const panel = document.createElement("div");
    panel.role = "tabpanel";
    panel.id = `sample-${index}`;
    panel.ariaLabel = title;
    start.before(panel);
    for (let node = start.nextSibling; node && node !== end; node = start.nextSibling) panel.append(node);
    start.remove();
    const tab = document.createElement("button");
    tab.type = "button";
    tab.role = "tab";
    tab.textContent = title;
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => this.choose(title));
    return { title, tab, panel };
  }

  choose(title) {
    choice.write(title);
    document.dispatchEvent(new CustomEvent(storageKey, { detail: title }));
  }

  show(title) {
    const chosen = this.tabs.find((entry) => entry.title === title) ?? this.tabs[0];
    for (const entry of this.tabs) {
      const selected = entry === chosen;
      entry.tab.ariaSelected = String(selected);
      entry.tab.tabIndex = selected ? 0 : -1;
      entry.panel.hidden = !selected;
    }
  }

  /** Arrow keys, Home and End (ARIA Authoring Practices, "Tabs"). */
  move(event) {
    const at = this.tabs.findIndex(({ tab }) => tab === document.activeElement);
    const last = this.tabs.length - 1;
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.choose(this.tabs[to].title);
    this.tabs[to].tab.focus();
  }
}

customElements.define("sample-tabs", SampleTabs);
