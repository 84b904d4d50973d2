"use strict";
const form = document.getElementById("filter");
const all = [...document.querySelectorAll("article.finding")];
const apply = () => {
  const chosen = new FormData(form);
  const severities = chosen.getAll("severity"), states = chosen.getAll("state"), dimension = chosen.get("dimension");
  let shown = 0;
  for (const item of all) {
    const about = item.dataset;
    const fits = severities.includes(about.severity) && states.includes(about.state)
      && (!dimension || about.dimension === dimension);
    item.hidden = !fits;
    shown += fits;
  }
  document.getElementById("count").textContent = `${shown} of ${all.length} shown`;
};
form.hidden = all.length === 0;
form.addEventListener("change", apply);
form.addEventListener("submit", (event) => event.preventDefault());
apply();
