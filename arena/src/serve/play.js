//<![CDATA[
"use strict";
// The seat of a person: shows the messages of the server one by one and asks for choices, without knowing the rules.
(function () {
  var element = HattariBoard.element, isolated = HattariBoard.isolated, by = function (id) { return document.getElementById(id); };
  var offers = JSON.parse(by("hattari-offers").textContent), base = location.pathname.replace(/\/play\/?$/, "");
  var state = null, names = [], seat = 0, question = null, picked = [], table = null, source = null, queue = [], busy = false, open = false, over = null, hadFocus = false;
  // The element with the choices, next to the person's hand. It is kept when the board is redrawn.
  var asking = by("ask");

  offers.lineUps.forEach(function (entrants, number) {
    if (entrants.length === 0) { return; }
    var option = element("option", "", entrants.join(", "));
    option.value = number;
    by("line-up").append(option);
  });
  function places() {
    by("place").replaceChildren();
    offers.lineUps[Number(by("line-up").value)].forEach(function (name, place) {
      var option = element("option", "", "instead of " + name + " (player " + (place + 1) + ")");
      option.value = place;
      by("place").append(option);
    });
    by("place").value = String(offers.place);
  }
  by("line-up").addEventListener("change", places);
  places();
  if (offers.total > offers.lineUps.length) { by("problem").textContent = "Only the first " + offers.lineUps.length + " of " + offers.total + " line-ups are offered."; }

  function post(path, body) {
    return fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }).then(function (answer) {
      return answer.ok ? answer : answer.text().then(function (why) { throw new Error(why); });
    });
  }
  by("sit").addEventListener("submit", function (event) {
    event.preventDefault();
    by("problem").textContent = "Loading the bots …";
    var wish = { line_up: Number(by("line-up").value), place: Number(by("place").value), games: Number(by("games").value) };
    var seed = new URLSearchParams(location.search).get("seed");
    if (seed !== null) { wish.seed = Number(seed); }
    post(base + "/play", wish).then(function (answer) { return answer.json(); }).then(function (made) {
      by("problem").textContent = "";
      table = "/table/" + made.table;
      by("setting").hidden = true;
      by("table").hidden = false;
      open = true;
      hadFocus = true;
      source = new EventSource(table + "/events");
      source.onmessage = function (event) {
        var message = JSON.parse(event.data);
        if (message.kind === "done" || message.kind === "broken") { source.close(); }
        queue.push(message);
        work();
      };
      source.onerror = function () {
        if (!open) { return; }
        if (source.readyState !== EventSource.CLOSED) { say(["The server does not answer; waiting for it"]); return; }
        by("said").textContent = "";
        queue = [];
        finish("The server has closed the table, was started again, or has too many open pages");
      };
    }).catch(function (error) { by("problem").textContent = "Cannot open a table: " + error.message; });
  });

  function say(text, isFault) {
    var line = text.join(". ");
    if (line === "") { return; }
    by("said").textContent = line + ".";
    by("said").classList.toggle("secret", Boolean(isFault));
    by("log").append(element("li", isFault ? "secret" : "", line));
    by("log").lastChild.scrollIntoView && (by("log").scrollTop = by("log").scrollHeight);
  }
  // Shows the messages one by one, with the selected pause after moves of bots.
  function work() {
    if (busy || queue.length === 0) { return; }
    var message = queue.shift(), pause = show(message);
    busy = true;
    setTimeout(function () { busy = false; work(); }, pause);
  }
  function pace() { return Number(by("pace").value); }
  function show(message) {
    switch (message.kind) {
    case "deal":
      over = null;
      state = message.state;
      names = message.names;
      seat = message.seat;
      question = null;
      by("score").dataset.game = "Game " + (message.game + 1) + " of " + message.games;
      score();
      by("order").textContent = "Order of play: " + names.map(function (name, number) { return (number + 1) + " " + isolated(name); }).join(", ") + ", then 1 again (clockwise on the table).";
      by("log").replaceChildren();
      say(["The cards are dealt"].concat(message.text));
      draw();
      return pace();
    case "step":
      state = HattariBoard.patched(state, message.patch);
      say(message.text);
      draw();
      return message.yours ? 0 : pace();
    case "ask":
      question = message;
      picked = [];
      draw();
      return 0;
    case "end":
      over = message;
      say(message.text);
      by("score").dataset.totals = message.unit + " so far: " + message.totals.map(function (total) { return isolated(total[0]) + " " + total[1]; }).join(", ");
      score();
      return 0;
    case "next":
      question = message;
      draw();
      return 0;
    case "fault":
      say([message.text], true);
      return pace();
    case "done":
      finish("The session is over after " + message.games + (message.games === 1 ? " game" : " games"));
      return 0;
    default:
      finish("The table was closed: " + message.text);
      return 0;
    }
  }
  function score() {
    by("score").textContent = [by("score").dataset.game, by("score").dataset.totals].filter(Boolean).join(" · ");
  }
  function finish(text) {
    open = false;
    question = null;
    if (state) { draw(); }
    by("said").textContent = (by("said").textContent + " " + text + ".").trim();
    by("leave").textContent = "Another table";
  }
  function answer(body) {
    var asked = question;
    question = null;
    draw();
    post(table + "/answer", Object.assign({ question: asked.question }, body)).catch(function (error) {
      say(["Not accepted: " + error.message], true);
      question = asked;
      draw();
    });
  }
  function words(faces) { return faces ? faces.split(" ") : []; }
  function fits(offer) {
    var faces = words(offer.faces);
    return picked.every(function (face) { return faces.includes(face); });
  }
  // If every choice consists of at most one card, returns the number of the only choice with a card; null otherwise.
  function single(face) {
    if (!question.offers.every(function (offer) { return words(offer.faces).length <= 1; })) { return null; }
    var found = question.offers.map(function (offer, action) { return offer.faces === face && !offer.range ? action : -1; });
    found = found.filter(function (action) { return action >= 0; });
    return found.length === 1 ? found[0] : null;
  }
  function draw() {
    var asks = question && question.kind === "ask";
    var takes = new Set();
    if (asks) { question.offers.forEach(function (offer) { words(offer.faces).forEach(function (face) { takes.add(face); }); }); }
    var pick = takes.size === 0 ? undefined : {
      may: function (face) { return takes.has(face); },
      is: function (face) { return picked.includes(face); },
      toggle: function (face) {
        var played = single(face);
        if (played !== null) { answer({ action: played }); return; }
        picked = picked.includes(face) ? picked.filter(function (other) { return other !== face; }) : picked.concat(face);
        draw();
        var again = by("board").querySelector("button[data-face=\"" + face + "\"]");
        if (again) { again.focus(); }
      }
    };
    hadFocus = hadFocus || by("board").contains(document.activeElement);
    HattariBoard.draw(by("board"), state, names, seat, pick);
    by("board").className = offers.game === "stud" ? "bare-table" : "";
    var mine = by("board").querySelector(".seat[data-seat=\"" + seat + "\"]");
    if (mine) {
      mine.classList.add("mine");
      mine.parentElement.prepend(asking);
    }
    ask(asks);
    // The focus returns to the choices, unless it is elsewhere now.
    if (hadFocus && (question || !open)) {
      hadFocus = false;
      if (document.activeElement === document.body) { asking.focus({ preventScroll: true }); }
    }
  }
  function button(text, act, name) {
    var made = element("button", name || "", text);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }
  function ask(asks) {
    var root = asking;
    root.replaceChildren();
    if (over) { root.append(result()); }
    if (question && question.kind === "next") {
      root.append(button("Next game", function () { answer({}); }, "go"));
      return;
    }
    if (!asks) { return; }
    var exact = [], more = [], plain = [];
    question.offers.forEach(function (offer, action) {
      var faces = words(offer.faces), entry = { offer: offer, action: action };
      if (faces.length === 0) { plain.push(entry); } else if (fits(offer)) { (faces.length === picked.length ? exact : more).push(entry); }
    });
    root.append(element("p", "your", "Your turn."));
    plain.forEach(function (entry) {
      if (entry.offer.range) { root.append(amount(entry)); } else {
        root.append(button(entry.offer.words, function () { answer({ action: entry.action }); }));
      }
    });
    var shown = picked.length === 0 ? [] : exact;
    shown.forEach(function (entry) { root.append(button(entry.offer.words, function () { answer({ action: entry.action }); }, "go")); });
    if (more.length > 0) {
      var ways = " (" + more.length + (more.length === 1 ? " legal play)." : " legal plays).");
      root.append(element("p", "note", (picked.length === 0 ? "Select cards" : "Or select more cards") + ways));
    } else if (picked.length > 0 && shown.length === 0) {
      root.append(element("p", "note", "These cards cannot be played together now."));
    }
  }
  // Returns the payoffs of the last game, the highest first.
  function result() {
    var made = element("div", "result"), rows = element("ol");
    made.append(element("h3", "", by("score").dataset.game + " is over. " + over.unit.charAt(0).toUpperCase() + over.unit.slice(1) + ":"));
    names.map(function (name, seat) { return [name, over.payoffs[seat]]; }).sort(function (a, b) { return b[1] - a[1]; }).forEach(function (row) {
      rows.append(element("li", row[0] === names[seat] ? "own" : "", isolated(row[0]) + " " + row[1]));
    });
    made.append(rows);
    return made;
  }
  function amount(entry) {
    var made = element("form", "amount"), low = entry.offer.range[0], high = entry.offer.range[1];
    var number = element("input"), slider = element("input"), go = element("button", "go", entry.offer.words);
    number.type = "number";
    slider.type = "range";
    [number, slider].forEach(function (input) { input.min = low; input.max = high; input.value = low; });
    number.setAttribute("aria-label", entry.offer.words + ", " + low + " to " + high);
    slider.setAttribute("aria-label", entry.offer.words);
    slider.hidden = low === high;
    number.addEventListener("input", function () { slider.value = number.value; });
    slider.addEventListener("input", function () { number.value = slider.value; });
    go.type = "submit";
    made.append(go, number, slider);
    made.addEventListener("submit", function (event) { event.preventDefault(); answer({ action: entry.action, amount: Number(number.value) }); });
    return made;
  }
  by("leave").addEventListener("click", function () {
    if (open) { post(table + "/leave", {}).catch(function () { return null; }); }
    if (source) { source.close(); }
    open = false;
    location.reload();
  });
  // Closing the page leaves the table.
  addEventListener("pagehide", function () { if (open) { navigator.sendBeacon(table + "/leave"); } });
})();
//]]>
