// @NAME@: @ABOUT@.
// hattari-game: @game@
"use strict";

/**
 * Starts a block (a series of deals). The keys of `block` are game, options, players, player (your
 * number, from 1), deals, seed (for your random numbers) and config.
 */
function start(block) {
  // The settings that a league gives under `config`. This bot has no settings, so it rejects them.
  for (const key in block.config) throw new Error(`there is no setting '${key}'`);
}

@DECIDE@

/** Handles the start of a deal, after the cards have been dealt. */
function dealStart(view) {}

/** Handles the end of a deal. `payoffs` contains the payoff of each player. */
function dealEnd(view, payoffs) {}

// The rest of this file exchanges messages with Hattari: each message is a line of JSON. Hattari's
// guide bots/programs/README.md describes them. Output of `console.log` goes to standard error;
// reports show it together with faults. Standard output is for messages only.
console.log = console.info = console.debug = console.error;

const fs = require("node:fs");
let history = [];

/** Writes a message. */
function say(message) {
  let rest = Buffer.from(JSON.stringify(message) + "\n");
  while (rest.length > 0) rest = rest.subarray(fs.writeSync(1, rest));
}

/** Handles a message. Returns false if no more messages follow. */
function hear(message) {
  const { type, view, legal } = message;
  if (type === "deal_start") history = [];
  if (view) {
    // All events of the deal so far, oldest first. A message contains only the new ones.
    history.push(...message.events);
    view.history = history;
  }
  if (type === "act") {
    // `act` may sort or filter its list.
    const choice = act(view, [...legal]);
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

/** Reads and handles all messages. It uses synchronous reads, because promises are much slower. */
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
