
"use strict";
(() => {
  const form = document.getElementById("filters");
  const status = document.getElementById("shown");
  const details = [...document.querySelectorAll("main details")];
  const verdicts = details.filter((item) => item.classList.contains("verdict"));
  const findings = details.filter((item) => item.classList.contains("finding"));

  function apply() {
    const kinds = new Set([...form.querySelectorAll("input[name=outcome]:checked")].map((box) => box.value));
    const rule = form.elements.rule.value;
    const confidence = form.elements.confidence.value;
    for (const item of verdicts) {
      item.hidden = !kinds.has(item.dataset.kind) || (rule !== "" && rule !== item.dataset.rule);
    }
    for (const item of findings) {
      item.hidden = confidence !== "" && confidence !== item.dataset.confidence;
    }
    const left = (items) => items.filter((item) => !item.hidden).length;
    status.textContent =
      `${left(findings)} of ${findings.length} findings and ${left(verdicts)} of ${verdicts.length} listed checks are shown.`;
  }

  function openAll(open) {
    for (const item of details) {
      if (!item.hidden) item.open = open;
    }
  }

  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("open").addEventListener("click", () => openAll(true));
  document.getElementById("close").addEventListener("click", () => openAll(false));

  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = details.filter((item) => !item.open && !item.hidden);
    for (const item of closed) item.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const item of closed) item.open = false;
  });
  apply();
})();
