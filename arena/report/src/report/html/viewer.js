//<![CDATA[
"use strict";
// Draws the table of any game from a common description, without knowing the rules. A state has the keys facts, piles, seats,
// own (visible hands by seat) and turn. A game is a first state and a merge patch for every step.
var HattariBoard = (function () {
  var SUITS = {
    S: { name: "spades", colour: "black", path: "M0-10C3-5 9-1 9 4a4.4 4.4 0 0 1-7.6 3Q2 9 4 10H-4Q-2 9-1.4 7A4.4 4.4 0 0 1-9 4C-9-1-3-5 0-10Z" },
    H: { name: "hearts", colour: "red", path: "M0 10C-4 5-9.5 1-9.5-4.2A4.9 4.9 0 0 1 0-6.4 4.9 4.9 0 0 1 9.5-4.2C9.5 1 4 5 0 10Z" },
    D: { name: "diamonds", colour: "red", path: "M0-10.5Q3.2-4.2 7.6 0 3.2 4.2 0 10.5-3.2 4.2-7.6 0-3.2-4.2 0-10.5Z" },
    C: { name: "clubs", colour: "black", path: "M0-10a4.3 4.3 0 0 1 3.5 6.8A4.4 4.4 0 1 1 1.4 3.7Q2 8.4 4 10H-4Q-2 8.4-1.4 3.7A4.4 4.4 0 1 1-3.5-3.2 4.3 4.3 0 0 1 0-10Z" }
  };
  var NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  // Positions of the pips by rank: column and height, each from -1 to 1.
  var PIPS = {
    A: [[0, 0]], "2": [[0, -1], [0, 1]], "3": [[0, -1], [0, 0], [0, 1]], "4": [[-1, -1], [1, -1], [-1, 1], [1, 1]],
    "5": [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], "6": [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
    "7": [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [-1, 1], [1, 1]],
    "8": [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [0, 0.5], [-1, 1], [1, 1]],
    "9": [[-1, -1], [1, -1], [-1, -0.34], [1, -0.34], [0, 0], [-1, 0.34], [1, 0.34], [-1, 1], [1, 1]],
    T: [[-1, -1], [1, -1], [0, -0.67], [-1, -0.34], [1, -0.34], [-1, 0.34], [1, 0.34], [0, 0.67], [-1, 1], [1, 1]]
  };
  var ROOM = "<rect class=\"paper\" x=\"0.6\" y=\"0.6\" width=\"50.8\" height=\"72.8\" rx=\"5\"/>";

  function escaped(text) {
    return String(text).replace(/[&<>"]/g, function (c) { return "&#" + c.charCodeAt(0) + ";"; });
  }
  function pip(suit, x, y, scale) {
    return "<path class=\"" + suit.colour + "\" transform=\"translate(" + x + " " + y + ") scale(" + scale + ")\" d=\"" + suit.path + "\"/>";
  }
  function spoken(face) {
    if (face === "") { return "a card face down"; }
    var stands = face.split("=");
    if (stands.length === 2) { return "joker as " + spoken(stands[1]); }
    if (face === "JK") { return "joker"; }
    var suit = SUITS[face.slice(-1)], rank = face.slice(0, -1);
    return suit ? (NAMES[rank] || rank) + " of " + suit.name : face;
  }
  // Returns a card as SVG; "" is a card face down.
  function picture(face) {
    var inside, shown = face;
    if (face === "") {
      inside = "<rect class=\"paper back\" x=\"0.6\" y=\"0.6\" width=\"50.8\" height=\"72.8\" rx=\"5\"/>" +
        "<path class=\"weave\" d=\"M6 6H46V68H6ZM6 37 26 6 46 37 26 68ZM6 6 46 68M46 6 6 68\"/>";
    } else if (face.slice(0, 2) === "JK") {
      var as = face.split("=")[1];
      inside = ROOM + "<text class=\"violet\" x=\"4\" y=\"16\">★</text><path class=\"violet\" d=\"M26 24 29.6 33.5 39.6 34 31.8 40.3 34.5 50 26 44.5 17.5 50 20.2 40.3 12.4 34 22.4 33.5Z\"/>";
      if (as) {
        inside += "<text class=\"violet\" style=\"font-size:11px\" x=\"22\" y=\"15\">" + escaped(as.slice(0, -1) === "T" ? "10" : as.slice(0, -1)) + "</text>";
        if (SUITS[as.slice(-1)]) { inside += pip(SUITS[as.slice(-1)], 42, 11, 0.5); }
      }
      inside += "<text class=\"violet\" style=\"font-size:9px\" text-anchor=\"middle\" x=\"26\" y=\"66\">joker</text>";
    } else if (SUITS[face.slice(-1)]) {
      var suit = SUITS[face.slice(-1)], rank = face.slice(0, -1), number = rank === "T" ? "10" : rank;
      var index = "<text class=\"" + suit.colour + "\" x=\"" + (number === "10" ? 1.6 : 3.4) + "\" y=\"16\"" + (number === "10" ? " textLength=\"14\" lengthAdjust=\"spacingAndGlyphs\"" : "") + ">" + number + "</text>" + pip(suit, 8.4, 24, 0.5);
      inside = ROOM + index + "<g transform=\"rotate(180 26 37)\">" + index + "</g>";
      if (PIPS[rank]) {
        PIPS[rank].forEach(function (at) {
          inside += pip(suit, 28 + at[0] * 8.4 - 2, 37 + at[1] * 21, rank === "A" ? 1.25 : 0.4);
        });
      } else {
        inside += "<g class=\"" + suit.colour + "\"><rect class=\"court\" style=\"color:" + (suit.colour === "red" ? "#b3202a" : "#16191c") + "\" x=\"15\" y=\"14\" width=\"22\" height=\"46\" rx=\"3\"/></g>" +
          "<text class=\"" + suit.colour + "\" style=\"font-size:22px;font-family:Georgia,serif\" text-anchor=\"middle\" x=\"26\" y=\"36\">" + rank + "</text>" + pip(suit, 26, 48, 0.75);
      }
    } else {
      shown = escaped(face);
      inside = ROOM + "<text class=\"black\" x=\"4\" y=\"16\">" + shown + "</text><text class=\"black\" style=\"font-size:22px\" text-anchor=\"middle\" x=\"26\" y=\"46\">" + shown + "</text>";
    }
    return "<svg viewBox=\"0 0 52 74\" aria-hidden=\"true\">" + inside + "</svg>";
  }
  function element(kind, name, text) {
    var made = document.createElement(kind);
    if (name) { made.className = name; }
    if (text !== undefined) { made.textContent = text; }
    return made;
  }
  function words(faces) { return faces ? faces.split(" ") : []; }
  // Creates a card. If cards can be picked, `pick` has the functions `may(face)`, `is(face)` and `toggle(face)`.
  function card(face, pick) {
    var picked = pick && face !== "";
    var made = element(picked ? "button" : "span", "face");
    made.innerHTML = picture(face);
    if (picked) {
      made.type = "button";
      made.disabled = !pick.may(face);
      if (pick.may(face)) { made.classList.add("may"); }
      made.setAttribute("aria-pressed", pick.is(face) ? "true" : "false");
      made.dataset.face = face;
      made.addEventListener("click", function () { pick.toggle(face); });
    } else {
      made.setAttribute("role", "img");
    }
    made.setAttribute("aria-label", spoken(face));
    return made;
  }
  function list(facts) {
    var made = element("dl", "facts");
    facts.forEach(function (fact) {
      var pair = element("div");
      pair.append(element("dt", "", fact[0]), element("dd", "", fact[1]));
      made.append(pair);
    });
    return made;
  }
  function hand(place, own, pick) {
    var made = element("div", "hand"), open = words(place.open), held = own ? words(own.hand) : [];
    var backs = own ? 0 : place.held;
    if (open.length + held.length + backs <= 5) { made.classList.add("few"); }
    held.forEach(function (face) { made.append(card(face, pick)); });
    for (var i = 0; i < backs; i += 1) { made.append(card("")); }
    if (open.length > 0 && held.length + backs > 0) { made.append(element("span", "gap")); }
    open.forEach(function (face) { made.append(card(face, pick)); });
    return made;
  }
  // Returns the sides of the table for the seats after the nearest one, clockwise in the order of play.
  function around(count) {
    var sides = count > 6 ? ["below", "left"] : count > 2 ? ["left"] : [], places = sides.slice();
    while (places.length < count - 1 - sides.length) { places.push("top"); }
    return places.concat(sides.slice().reverse());
  }
  // Draws a state with the seats around the table. `shown` is the seat whose hand is visible, which is drawn nearest; null for
  // all hands in the state. `pick` is as in card().
  function draw(into, state, names, shown, pick) {
    var board = element("div", "board"), felt = element("div", "felt"), round = element("div", "round");
    var nearest = shown === null ? 0 : shown, sides = {}, seats = [], places = around(names.length);
    ["left", "top", "right", "below"].forEach(function (side) { sides[side] = element("div", "at-" + side); });
    if (names.length < 3) { round.classList.add("facing"); }
    board.append(list(state.facts));
    state.piles.forEach(function (pile) {
      var made = element("div", "pile"), cards = element("div", "hand few"), seat = pile[1];
      words(pile[2]).forEach(function (face) { cards.append(card(face)); });
      made.append(cards, element("span", "", [pile[0], seat === null ? "" : names[seat]].filter(Boolean).join(": ")));
      felt.append(made);
    });
    if (state.piles.length === 0) { felt.append(element("p", "bare", "The table is empty.")); }
    names.forEach(function (name, seat) {
      var place = state.seats[seat], own = shown === null || shown === seat ? state.own[seat] : undefined;
      if (!place) { return; }
      var made = element("div", "seat"), head = element("h3", "", name), turn = state.turn === seat;
      if (turn) { made.classList.add("turn"); }
      if (place.out) { made.classList.add("out"); }
      made.dataset.seat = seat;
      head.prepend(element("small", "number", "seat " + (seat + 1)));
      if (place.role) { head.append(element("small", "", place.role)); }
      if (place.note) { head.append(element("span", "note", place.note)); }
      if (turn) { head.append(element("span", "mark", "to act")); }
      made.append(head, list([["cards", place.held + words(place.open).length]].concat(place.facts, own ? own.facts : [])), hand(place, own, pick));
      seats[seat] = made;
    });
    sides.below.append(seats[nearest] || "");
    for (var after = 1; after < names.length; after += 1) {
      var made = seats[(nearest + after) % names.length], last = after > places.length / 2;
      if (!made) { continue; }
      // The first half of the seats goes up on the left side, the second half down on the right side.
      if (places[after - 1] === "below") { sides.below[last ? "append" : "prepend"](made); }
      else { sides[places[after - 1] === "left" && last ? "right" : places[after - 1]].append(made); }
    }
    round.append(sides.left, sides.top, sides.right, felt, sides.below);
    board.append(round);
    into.replaceChildren(board);
  }
  // Applies a merge patch (RFC 7396). Returns a new value; the old one is unchanged.
  function patched(value, patch) {
    if (patch === null || typeof patch !== "object" || Array.isArray(patch)) { return patch; }
    var made = Object.assign({}, value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});
    Object.keys(patch).forEach(function (key) {
      if (patch[key] === null) { delete made[key]; } else { made[key] = patched(made[key], patch[key]); }
    });
    return made;
  }
  // Returns a name for a sentence. A name in a right-to-left script does not change the order of the words around it.
  function isolated(name) { return "\u2068" + name + "\u2069"; }
  return { draw: draw, patched: patched, element: element, isolated: isolated };
})();

// Shows games step by step, with the view of one seat or all hands. Controls: buttons, a slider and keys.
var HattariViewer = (function () {
  var element = HattariBoard.element, isolated = HattariBoard.isolated, count = 0;
  function button(text, label, act) {
    var made = element("button", "", text);
    made.type = "button";
    made.setAttribute("aria-label", label);
    made.title = label;
    made.addEventListener("click", act);
    return made;
  }
  function labelled(text, control, name) {
    var made = element("label", name, text);
    made.append(control);
    return made;
  }
  function open(root, games) {
    var states = [], game = null, at = 0, shown = null, timer = null;
    count += 1;
    var chooser = element("select"), seat = element("select"), pace = element("select");
    var board = element("div"), said = element("p", "said"), log = element("ol"), number = element("span", "count");
    var slider = element("input"), controls = element("div", "controls"), choices = element("div", "choices");
    var details = element("details", "log"), about = element("p", "note");
    var first = button("|◀", "First step (Home)", function () { stop(); go(0); });
    var back = button("◀", "Step back (left arrow)", function () { stop(); go(at - 1); });
    var play = button("Play", "Play or pause (space)", function () { if (timer) { stop(); } else { start(); } });
    var next = button("▶", "Step forward (right arrow)", function () { stop(); go(at + 1); });
    var last = button("▶|", "Last step (End)", function () { stop(); go(states.length - 1); });
    play.className = "go";
    slider.type = "range";
    slider.min = 0;
    slider.setAttribute("aria-label", "Step");
    slider.addEventListener("input", function () { stop(); go(Number(slider.value)); });
    said.setAttribute("aria-live", "polite");
    [["2000", "slow"], ["1000", "medium"], ["350", "fast"]].forEach(function (speed) {
      var option = element("option", "", speed[1]);
      option.value = speed[0];
      pace.append(option);
    });
    pace.value = "1000";
    pace.addEventListener("change", function () { if (timer) { stop(); start(); } });
    games.forEach(function (each, index) {
      var option = element("option", "", "Line-up " + each.line_up + ", block " + each.block + ", game " + each.game + " · " + each.why);
      option.value = index;
      chooser.append(option);
    });
    chooser.addEventListener("change", function () { stop(); load(games[Number(chooser.value)]); });
    seat.addEventListener("change", function () { shown = seat.value === "" ? null : Number(seat.value); render(); });
    choices.append(labelled("Game", chooser, "grow"), labelled("Show", seat), labelled("Speed", pace));
    controls.append(first, back, play, next, last, slider, number);
    details.append(element("summary", "", "All steps as text"), log);
    root.replaceChildren(choices, about, controls, said, board, details);
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Game viewer. Arrow keys: step back or forward. Space: play or pause.");
    root.addEventListener("keydown", key);
    // If no element has the focus, the arrow keys control the first viewer of the page while it is visible.
    document.addEventListener("keydown", function (event) {
      var there = root.getBoundingClientRect(), isFirst = document.querySelector(".viewer[role=group]") === root;
      var isSeen = there.top < innerHeight && there.bottom > 0, isArrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
      if (document.activeElement === document.body && isArrow && isFirst && isSeen) { key(event); }
    });
    function key(event) {
      var name = event.target.tagName, keys = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: states.length - 1 };
      if (name === "SELECT" || event.altKey || event.ctrlKey || event.metaKey) { return; }
      if (event.key === " " && name !== "BUTTON" && name !== "SUMMARY") {
        play.click();
      } else if (event.key in keys && name !== "INPUT") {
        stop();
        go(keys[event.key]);
      } else {
        return;
      }
      event.preventDefault();
    }
    function texts(step) {
      var at = step === 0 ? game : game.steps[step - 1];
      return { text: at.text, told: at.told || {}, luck: (game.luck || {})[step] || [] };
    }
    // Returns the sentences that only the shown seat may see; for all hands also those about luck, which reveal hidden cards.
    function secrets(all) {
      return Object.keys(all.told).filter(function (to) { return shown === null || shown === Number(to); })
        .map(function (to) { return all.told[to]; }).concat(shown === null ? all.luck : []);
    }
    function sentence(step) {
      var all = texts(step);
      return all.text.concat(secrets(all)).join(". ");
    }
    function load(wanted) {
      game = wanted;
      states = [game.start];
      game.steps.forEach(function (step) { states.push(HattariBoard.patched(states[states.length - 1], step.patch)); });
      seat.replaceChildren(element("option", "", "all hands"));
      seat.firstChild.value = "";
      game.names.forEach(function (name, index) {
        var option = element("option", "", "view of " + name);
        option.value = index;
        seat.append(option);
      });
      shown = null;
      board.className = states.some(function (state) { return state.piles.length > 0; }) ? "" : "bare-table";
      slider.max = states.length - 1;
      about.textContent = "At the table: " + game.names.map(isolated).join(", ") + ".";
      fill();
      go(0);
    }
    function fill() {
      log.replaceChildren();
      states.forEach(function (_, step) {
        var item = element("li", "", sentence(step) || "The cards are dealt");
        item.value = step;
        item.addEventListener("click", function () { stop(); go(step); });
        log.append(item);
      });
    }
    function render() {
      HattariBoard.draw(board, states[at], game.names, shown);
      var all = texts(at), hidden = secrets(all);
      said.textContent = all.text.length > 0 ? all.text.join(". ") + "." : at === 0 ? "The cards are dealt." : "";
      if (hidden.length > 0) { said.append(" ", element("span", "secret", hidden.join(". ") + ".")); }
      Array.from(log.children).forEach(function (item, step) {
        item.textContent = sentence(step) || "The cards are dealt";
        if (step === at) { item.setAttribute("aria-current", "step"); } else { item.removeAttribute("aria-current"); }
      });
    }
    function go(step) {
      at = Math.max(0, Math.min(states.length - 1, step));
      slider.value = at;
      slider.setAttribute("aria-valuetext", "step " + at + " of " + (states.length - 1));
      number.textContent = "step " + at + " of " + (states.length - 1);
      first.disabled = back.disabled = at === 0;
      next.disabled = last.disabled = at === states.length - 1;
      render();
    }
    function start() {
      if (at === states.length - 1) { go(0); }
      play.textContent = "Pause";
      timer = setInterval(function () { if (at < states.length - 1) { go(at + 1); } else { stop(); } }, Number(pace.value));
    }
    function stop() {
      clearInterval(timer);
      timer = null;
      play.textContent = "Play";
    }
    load(games[0]);
    return {
      add: function (more) {
        var option = element("option", "", "Line-up " + more.line_up + ", block " + more.block + ", game " + more.game + " · " + more.why);
        games.push(more);
        option.value = games.length - 1;
        chooser.append(option);
        chooser.value = option.value;
        stop();
        load(more);
      }
    };
  }
  return { open: open };
})();
(function () {
  var data = document.getElementById("hattari-replays"), root = document.getElementById("viewer");
  if (data && root) { window.hattariViewer = HattariViewer.open(root, JSON.parse(data.textContent).games); }
})();
//]]>
