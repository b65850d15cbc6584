//<![CDATA[
"use strict";
// Theme: that of the system until the user selects one. Pages opened as files may have no storage.
(function () {
  var root = document.documentElement, button = document.getElementById("theme");
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var kept = null;
  try { kept = localStorage.getItem("hattari-theme"); } catch (error) { kept = null; }
  function show(theme) {
    if (theme) { root.setAttribute("data-theme", theme); }
    var now = theme || (dark.matches ? "dark" : "light");
    button.textContent = now === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", "Switch to the " + (now === "dark" ? "light" : "dark") + " theme");
    return now;
  }
  var shown = show(kept === "dark" || kept === "light" ? kept : null);
  button.hidden = false;
  dark.addEventListener("change", function () {
    if (!root.hasAttribute("data-theme")) { shown = show(null); }
  });
  button.addEventListener("click", function () {
    shown = show(shown === "dark" ? "light" : "dark");
    try { localStorage.setItem("hattari-theme", shown); } catch (error) { return; }
  });
})();
// Sets up the interactive parts of a report. The page of a server calls this again after every update of the report.
var hattariReport = (function () {
  var watching = null;
  return function () {
    // Long tables can be filtered by a word.
    document.querySelectorAll(".filter").forEach(function (label) {
      var table = label.nextElementSibling, rows = Array.from(table.querySelectorAll("tbody tr"));
      label.hidden = false;
      label.querySelector("input").addEventListener("input", function (event) {
        var word = event.target.value.trim().toLowerCase();
        table.firstElementChild.classList.toggle("filtered", word !== "");
        rows.forEach(function (row) { row.hidden = word !== "" && !row.textContent.toLowerCase().includes(word); });
      });
    });
    // The table of contents marks the visible part.
    if ("IntersectionObserver" in window) {
      if (watching) { watching.disconnect(); }
      var links = new Map();
      document.querySelectorAll("nav a").forEach(function (link) { links.set(link.getAttribute("href").slice(1), link); });
      watching = new IntersectionObserver(function (entries) {
        entries.forEach(function (entry) {
          if (entry.isIntersecting && links.has(entry.target.id)) {
            links.forEach(function (link) { link.removeAttribute("aria-current"); });
            var link = links.get(entry.target.id), list = link.closest("ul");
            link.setAttribute("aria-current", "true");
            // The list scrolls horizontally if it is too long for the page.
            list.scrollLeft = link.parentElement.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
          }
        });
      }, { rootMargin: "-20% 0px -70% 0px" });
      document.querySelectorAll("main section").forEach(function (section) { watching.observe(section); });
    }
  };
})();
hattariReport();
//]]>
