//<![CDATA[
"use strict";
// The page of a league on a server: progress, a new report when more blocks have been played, any game, and a link for playing.
(function () {
  var element = HattariBoard.element, base = location.pathname.replace(/\/$/, "");
  var bar = element("div", "inner served"), live = element("p", "live"), links = element("p");
  function link(text, to) {
    var made = element("a", "", text);
    made.href = to;
    return made;
  }
  links.append(link("All leagues", "/"));
  if (typeof HattariNoTable === "undefined") { links.append(" · ", link("Play against these bots", base + "/play")); }
  bar.append(links, live);
  document.querySelector("header.top .inner").append(bar);

  // Shows any game, in the viewer of the report or in a separate one.
  function any() {
    var section = document.getElementById("replays");
    if (!section || section.querySelector("form")) { return; }
    var form = element("form", "viewer any"), said = element("p", "note"), inputs = {}, latest = 0;
    form.append(element("h3", "", "Any other game"));
    var choices = element("div", "choices");
    [["line_up", "Line-up"], ["block", "Block"], ["game", "Game"]].forEach(function (field) {
      var label = element("label", "", field[1]), input = element("input");
      input.type = "number";
      input.min = 0;
      input.value = 0;
      inputs[field[0]] = input;
      label.append(input);
      choices.append(label);
    });
    var show = element("button", "", "Show");
    choices.append(show);
    said.setAttribute("role", "status");
    form.append(choices, said);
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      var query = Object.keys(inputs).map(function (name) { return name + "=" + encodeURIComponent(inputs[name].value || 0); }).join("&");
      // Answers to earlier requests may come later, and are ignored.
      var request = latest += 1;
      said.textContent = "Replaying the block …";
      fetch(base + "/game?" + query).then(function (answer) {
        if (!answer.ok) { return answer.text().then(function (why) { throw new Error(why); }); }
        return answer.json();
      }).then(function (game) {
        if (request !== latest) { return; }
        said.textContent = "";
        if (window.hattariViewer) {
          window.hattariViewer.add(game);
        } else {
          var root = element("div", "viewer");
          root.id = "viewer";
          form.before(root);
          window.hattariViewer = HattariViewer.open(root, [game]);
        }
        document.getElementById("viewer").scrollIntoView({ block: "start" });
        document.getElementById("viewer").focus({ preventScroll: true });
      }).catch(function (error) {
        if (request === latest) { said.textContent = "Cannot show the game: " + error.message; }
      });
    });
    section.append(form);
  }
  any();

  // Loads the report again and replaces the old one. The part with games is kept during a run, because the user may be viewing a game.
  var shown = null, run = null, isNewRun = false, asking = false, again = false;
  // Returns the elements of a part of the page that can have the focus.
  function stops(part) { return part ? Array.from(part.querySelectorAll("a, button, input, select, summary, [tabindex]")) : []; }
  // Returns the name of the table that an input filters.
  function filtered(input) { return input.closest(".filter").nextElementSibling.getAttribute("aria-label"); }
  function refresh() {
    if (asking) { again = true; return; }
    var keepsGames = !isNewRun;
    asking = true;
    isNewRun = false;
    fetch(base).then(function (answer) { return answer.text(); }).then(function (text) {
      var fresh = new DOMParser().parseFromString(text, "text/html");
      var kept = document.getElementById("replays"), main = fresh.getElementById("main"), old = document.getElementById("main");
      var focused = document.activeElement, part = old.contains(focused) ? focused.closest("section") : null, stop = stops(part).indexOf(focused), typed = {};
      old.querySelectorAll(".filter input").forEach(function (input) { typed[filtered(input)] = input.value; });
      if (kept && document.getElementById("viewer") && keepsGames) {
        var theirs = main.querySelector("#replays");
        if (theirs) { theirs.replaceWith(kept); } else { main.append(kept); }
      } else if (fresh.getElementById("hattari-replays") && main.querySelector("#viewer")) {
        window.hattariViewer = HattariViewer.open(main.querySelector("#viewer"), JSON.parse(fresh.getElementById("hattari-replays").textContent).games);
      } else {
        window.hattariViewer = null;
      }
      var open = Array.from(document.querySelectorAll("main details[open] > summary")).map(function (summary) { return summary.textContent; });
      main.querySelectorAll("details > summary").forEach(function (summary) {
        if (open.includes(summary.textContent)) { summary.parentElement.open = true; }
      });
      old.replaceWith(main);
      // Replaces the head, except the line with the theme button and the line that this script added.
      var head = document.querySelector("header.top .inner");
      Array.from(head.children).forEach(function (child) { if (child !== bar && !child.classList.contains("line")) { child.remove(); } });
      Array.from(fresh.querySelectorAll("header.top .inner > :not(.line)")).forEach(function (child) { bar.before(child); });
      var contents = document.querySelector("body > nav"), nav = fresh.querySelector("body > nav");
      if (contents) { contents.remove(); }
      if (nav) { main.before(nav); }
      hattariReport();
      main.querySelectorAll(".filter input").forEach(function (input) {
        input.value = typed[filtered(input)] || "";
        input.dispatchEvent(new Event("input"));
      });
      if (stop >= 0) {
        var next = stops(document.getElementById(part.id))[stop];
        if (next) { next.focus({ preventScroll: true }); }
      }
      document.documentElement.dataset.reports = Number(document.documentElement.dataset.reports || 0) + 1;
      any();
    }).finally(function () {
      asking = false;
      // Reloads at most once every two seconds, even if blocks are played faster.
      setTimeout(function () { if (again) { again = false; refresh(); } }, 2000);
    });
  }
  // Listens while the page is visible, because browsers open only six connections to a server.
  var source = null;
  function listen() {
    if (source) { source.close(); }
    if (document.hidden) { return; }
    source = new EventSource(base + "/events");
    source.onmessage = function (event) {
      var progress = JSON.parse(event.data), now = progress.runs + " " + progress.started;
      live.textContent = progress.text;
      live.classList.toggle("running", progress.is_running);
      if (run !== null && run !== now) { isNewRun = true; }
      run = now;
      if (shown !== null && shown !== event.data) { refresh(); }
      shown = event.data;
    };
    source.onerror = function () {
      live.textContent = source.readyState === EventSource.CLOSED ? "The server sends no more updates: close other pages of it, then reload this one." : "The server does not answer.";
    };
  }
  document.addEventListener("visibilitychange", listen);
  listen();
})();
//]]>
