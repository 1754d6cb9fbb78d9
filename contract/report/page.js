const articles = [...document.querySelectorAll("article")];
const topics = [...document.querySelectorAll("section.topic")];
const texts = articles.map((article) =>
  [...article.querySelectorAll("h3, .text, .reason, .check > summary, p.check, h4")]
    .map((part) => part.textContent)
    .join(" ")
    .toLowerCase(),
);
const overviews = [...document.querySelectorAll(".overview")];
const search = document.querySelector("#search");
const status = document.querySelector("#shown");
const chosen = () => document.querySelector("input[name=show]:checked").value;
const update = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const filter = chosen();
  let shown = 0;
  articles.forEach((article, index) => {
    article.hidden = !words.every((word) => texts[index].includes(word));
    if (!article.hidden && (filter === "all" || article.classList.contains(filter))) shown += 1;
  });
  for (const topic of topics)
    topic.hidden = ![...topic.querySelectorAll("article")].some(
      (article) => !article.hidden && (filter === "all" || article.classList.contains(filter)),
    );
  for (const overview of overviews) overview.hidden = words.length > 0;
  status.textContent = words.length === 0 && filter === "all" ? "" : `${shown} shown`;
};
const lead = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  if (target.offsetParent === null) {
    search.value = "";
    document.querySelector("#show-all").checked = true;
    update();
  }
  target.scrollIntoView();
};
// Scrolls bodies to the property that failed.
const reveal = (part) => {
  for (const mark of part.querySelectorAll("mark")) {
    const body = mark.closest("pre");
    body.scrollTop += mark.getBoundingClientRect().top - body.getBoundingClientRect().top - 40;
  }
};
const copy = async (button) => {
  const command = button.closest("figure").querySelector("pre");
  try {
    await navigator.clipboard.writeText(command.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(command);
    button.textContent = "Selected: press Ctrl+C";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, 3000);
};
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
addEventListener("toggle", ({ target }) => reveal(target), true);
reveal(document);
search.parentElement.hidden = false;
search.addEventListener("input", update);
for (const input of document.querySelectorAll("input[name=show]")) input.addEventListener("change", update);
addEventListener("hashchange", lead);
update();
if (location.hash !== "") lead();
