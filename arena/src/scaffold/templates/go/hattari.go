// What speaks with Hattari: two lines of JSON, then frames. bots/programs/README.md says what each of them holds. Print to os.Stderr,
// which reports tell with faults; the standard output is for answers alone.

package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"strings"
)

// Block is what a block starts with.
type Block struct {
	Game    string          `json:"game"`
	Options json.RawMessage `json:"options"`
	Players int             `json:"players"`
	Player  int             `json:"player"`
	Deals   int             `json:"deals"`
	Seed    uint64          `json:"seed"`
	Config  json.RawMessage `json:"config"`
}

// Kinds of frames.
const (
	kindDealStart = 3
	kindAct       = 4
	kindDealEnd   = 5
	kindBlockEnd  = 6
	kindChoice    = 103
)

// History is what has happened in the deal so far, oldest first.
var History []Event

// A body, read from its start. Parts are filled up to a multiple of 8 bytes.
type body []byte

func (b *body) part(size int) []byte {
	part := (*b)[:size]
	*b = (*b)[(size+7)/8*8:]
	return part
}

func (b *body) number() int {
	number := binary.LittleEndian.Uint32(*b)
	*b = (*b)[4:]
	return int(number)
}

func say(text string) {
	os.Stdout.WriteString(text + "\n")
}

func main() {
	say(`{"type": "hello", "protocol": 1, "format": "binary"}`)
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	line, err := in.ReadBytes('\n')
	var block Block
	if err != nil || json.Unmarshal(line, &block) != nil {
		os.Exit(1)
	}
	if strings.SplitN(block.Game, "/", 2)[0] != "@game@" {
		say(`{"refuse": "it plays @game@ alone"}`)
		return
	}
	start(&block)
	say(`{"type": "ready"}`)
	var head [16]byte
	var answer [32]byte
	var view View
	var legal []Action
	bytes := make([]byte, 1<<16)
	for {
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return
		}
		size, kind := int(binary.LittleEndian.Uint32(head[:])), binary.LittleEndian.Uint32(head[4:])
		if kind == kindBlockEnd {
			return
		}
		if len(bytes) < size {
			bytes = make([]byte, size)
		}
		if _, err := io.ReadFull(in, bytes[:size]); err != nil {
			return
		}
		rest := body(bytes[:size])
		viewSize, before, events, eventSize := rest.number(), rest.number(), rest.number(), rest.number()
		var count, actionSize int
		if kind == kindAct {
			count, actionSize = rest.number(), rest.number()
			rest.part(8) // microseconds for the decision, 0 for no limit
		} else if kind == kindDealEnd {
			count = rest.number()
			rest.number()
		}
		view.read(rest.part(viewSize))
		History = History[:before]
		for part := rest.part(events * eventSize); len(part) > 0; part = part[eventSize:] {
			var event Event
			event.read(part)
			History = append(History, event)
		}
		switch kind {
		case kindDealStart:
			dealStart(&view)
		case kindAct:
			legal = legal[:0]
			for part := rest.part(count * actionSize); len(part) > 0; part = part[actionSize:] {
				legal = append(legal, Action{})
				legal[len(legal)-1].read(part)
			}
			action, amount := act(&view, legal)
			binary.LittleEndian.PutUint32(answer[:], 16)
			binary.LittleEndian.PutUint32(answer[4:], kindChoice)
			copy(answer[8:16], head[8:])
			binary.LittleEndian.PutUint32(answer[16:], uint32(action))
			binary.LittleEndian.PutUint64(answer[24:], uint64(amount))
			os.Stdout.Write(answer[:])
		case kindDealEnd:
			payoffs := make([]int64, count)
			for i := range payoffs {
				payoffs[i] = int64(binary.LittleEndian.Uint64(rest.part(8)))
			}
			dealEnd(&view, payoffs)
		}
	}
}
