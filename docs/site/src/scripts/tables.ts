/** On a narrow screen, the cells of a row stand below each other: each of several has the head of its column before it. */
export function labelCells(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>(
    ".sl-markdown-content table:not(.errors)",
  )) {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent);
    if (heads.length < 3) continue;
    for (const { cells } of table.tBodies[0]?.rows ?? [])
      for (const cell of [...cells].slice(1)) cell.dataset.label = heads[cell.cellIndex] ?? "";
  }
}
