// @NAME@: @ABOUT@.
// hattari-game: @game@
"use strict";

/** Called at the start of a block, with game, options, players, player (your number), deals, seed and config. */
function start(block) {
  // The settings of the league (`config`). The bot has no settings yet.
  for (const key in block.config) throw new Error(`there is no setting '${key}'`);
}

@DECIDE@

/** Called after the cards have been dealt. */
function dealStart(view) {}

/** Called at the end of a deal; payoffs are by player. */
function dealEnd(view, payoffs) {}

// The rest exchanges messages with Hattari, one line of JSON each (see bots/programs/README.md). Logged text goes to standard error,
// which reports show with faults; standard output is reserved for messages.
console.log = console.info = console.debug = console.error;

const fs = require("node:fs");
let history = [];

/** Writes a message. */
function say(message) {
  let rest = Buffer.from(JSON.stringify(message) + "\n");
  while (rest.length > 0) rest = rest.subarray(fs.writeSync(1, rest));
}

/** Handles a message. Returns false after the last one. */
function hear(message) {
  const { type, view, legal } = message;
  if (type === "deal_start") history = [];
  if (view) {
    // All events of the deal so far, oldest first; a message contains only the new ones.
    history.push(...message.events);
    view.history = history;
  }
  if (type === "act") {
    const choice = act(view, legal);
    const [action, amount] = Array.isArray(choice) ? choice : [choice, 0];
    say({ id: message.id, action: legal.indexOf(action) + 1, amount });
  } else if (type === "deal_start") {
    dealStart(view);
  } else if (type === "deal_end") {
    dealEnd(view, message.payoffs);
  } else if (type === "block_start") {
    if (message.game.split("/")[0] !== "@game@") {
      say({ refuse: "this bot plays @game@ only" });
      return false;
    }
    start(message);
    say({ type: "ready" });
  }
  return type !== "block_end";
}

/** Reads and handles all messages, without promises, because waiting for them would be slower. */
function main() {
  say({ type: "hello", protocol: 1 });
  const chunk = Buffer.alloc(65536);
  let text = "";
  for (;;) {
    const count = fs.readSync(0, chunk, 0, chunk.length, null);
    if (count === 0) return;
    text += chunk.toString("utf8", 0, count);
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      if (!hear(JSON.parse(line))) return;
    }
  }
}

main();
