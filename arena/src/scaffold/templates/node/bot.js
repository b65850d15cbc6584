// @NAME@: @ABOUT@.
// hattari-game: @game@
"use strict";

/** A block starts: game, options, players, your number among them, deals, a seed for your chance, config. */
function start(block) {
  // What a league sets under `config`. So far there is nothing to set.
  for (const key in block.config) throw new Error(`there is no setting '${key}'`);
}

@DECIDE@

/** Cards have been dealt. */
function dealStart(view) {}

/** The deal is over; payoffs go by player. */
function dealEnd(view, payoffs) {}

// The rest speaks with Hattari, one line of JSON a message; bots/programs/README.md says what each of them holds. What is logged goes
// to the error output, which reports tell with faults: the standard output is for answers alone.
console.log = console.info = console.debug = console.error;

const fs = require("node:fs");
let history = [];

/** Writes a message. */
function say(message) {
  let rest = Buffer.from(JSON.stringify(message) + "\n");
  while (rest.length > 0) rest = rest.subarray(fs.writeSync(1, rest));
}

/** Answers a message; whether more may come. */
function hear(message) {
  const { type, view, legal } = message;
  if (type === "deal_start") history = [];
  if (view) {
    // What has happened in the deal so far, oldest first; messages bring what is new.
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
      say({ refuse: "it plays @game@ alone" });
      return false;
    }
    start(message);
    say({ type: "ready" });
  }
  return type !== "block_end";
}

/** Reads message after message; no promise is waited for between, which would cost more than all the rest. */
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
