// On a phone, extra.css shows each row of a table as a list: every cell needs the name of its column.
function labelCells() {
  for (const table of document.querySelectorAll("table:not(.highlighttable)")) {
    const names = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent);
    for (const row of table.querySelectorAll("tbody tr"))
      [...row.cells].forEach((cell, column) => (cell.dataset.column = names[column] ?? ""));
  }
}
if (window.document$) document$.subscribe(labelCells); // Material loads pages without leaving the document
else document.addEventListener("DOMContentLoaded", labelCells);
