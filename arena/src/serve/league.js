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

  // Loads the report again and replaces the old one. The part with games is kept, because the user may be viewing a game.
  var shown = null, asking = false, again = false;
  function refresh() {
    if (asking) { again = true; return; }
    asking = true;
    fetch(base).then(function (answer) { return answer.text(); }).then(function (text) {
      var fresh = new DOMParser().parseFromString(text, "text/html");
      var kept = document.getElementById("replays"), main = fresh.getElementById("main");
      if (kept && document.getElementById("viewer")) {
        var theirs = main.querySelector("#replays");
        if (theirs) { theirs.replaceWith(kept); } else { main.append(kept); }
      } else if (fresh.getElementById("hattari-replays") && main.querySelector("#viewer")) {
        window.hattariViewer = HattariViewer.open(main.querySelector("#viewer"), JSON.parse(fresh.getElementById("hattari-replays").textContent).games);
      }
      var open = Array.from(document.querySelectorAll("main details[open] > summary")).map(function (summary) { return summary.textContent; });
      main.querySelectorAll("details > summary").forEach(function (summary) {
        if (open.includes(summary.textContent)) { summary.parentElement.open = true; }
      });
      document.getElementById("main").replaceWith(main);
      // Replaces the head, except the line with the theme button and the line that this script added.
      var head = document.querySelector("header.top .inner");
      Array.from(head.children).forEach(function (child) { if (child !== bar && !child.classList.contains("line")) { child.remove(); } });
      Array.from(fresh.querySelectorAll("header.top .inner > :not(.line)")).forEach(function (child) { bar.before(child); });
      var old = document.querySelector("body > nav"), nav = fresh.querySelector("body > nav");
      if (old) { old.remove(); }
      if (nav) { main.before(nav); }
      hattariReport();
      document.documentElement.dataset.reports = Number(document.documentElement.dataset.reports || 0) + 1;
      any();
    }).finally(function () {
      asking = false;
      // Reloads at most once every two seconds, even if blocks are played faster.
      setTimeout(function () { if (again) { again = false; refresh(); } }, 2000);
    });
  }
  var source = new EventSource(base + "/events");
  source.onmessage = function (event) {
    var progress = JSON.parse(event.data), stamp = progress.blocks + (progress.is_running ? " running" : "");
    live.textContent = progress.text;
    live.classList.toggle("running", progress.is_running);
    if (shown !== null && shown !== stamp) { refresh(); }
    shown = stamp;
  };
  source.onerror = function () { live.textContent = "The server does not answer."; };
})();
//]]>
