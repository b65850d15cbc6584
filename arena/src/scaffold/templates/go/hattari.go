// Exchanges messages with Hattari: each message is a JSON object. Hattari's guide
// bots/programs/README.md describes them. Print debug output to os.Stderr; reports show it
// together with faults. Standard output is for messages only.

package main

import (
	"encoding/json"
	"os"
	"strings"
)

// Block is the message at the start of a block (a series of deals).
type Block struct {
	Game    string
	Options json.RawMessage
	Players int
	Player  int
	Deals   int
	Seed    uint64
	Config  json.RawMessage
}

// Event is an event of a deal: for example a play, a bet or a card that was turned up.
type Event map[string]any

// History contains the events of the deal so far, oldest first.
var History []Event

type message struct {
	Block
	Type    string
	ID      uint64
	View    View
	Events  []Event
	Legal   []Action
	Payoffs []int64
}

func say(answer any) {
	if json.NewEncoder(os.Stdout).Encode(answer) != nil {
		os.Exit(1)
	}
}

func main() {
	say(map[string]any{"type": "hello", "protocol": 1})
	for in := json.NewDecoder(os.Stdin); ; {
		var m message
		if in.Decode(&m) != nil {
			return
		}
		if m.Type == "deal_start" {
			History = nil
		}
		History = append(History, m.Events...)
		switch m.Type {
		case "block_start":
			if strings.SplitN(m.Game, "/", 2)[0] != "@game@" {
				say(map[string]any{"refuse": "this bot plays @game@ only"})
				return
			}
			start(&m.Block)
			say(map[string]any{"type": "ready"})
		case "deal_start":
			dealStart(&m.View)
		case "act":
			action, amount := act(&m.View, m.Legal)
			say(map[string]any{"id": m.ID, "action": action + 1, "amount": amount})
		case "deal_end":
			dealEnd(&m.View, m.Payoffs)
		case "block_end":
			return
		}
	}
}
