// @NAME@: @ABOUT@.
// hattari-game: @game@

package main

import "os"

// start: a block starts.
func start(block *Block) {
	// What a league sets under `config`. So far there is nothing to set.
	if string(block.Config) != "{}" {
		os.Stderr.WriteString("there is nothing to set in config: " + string(block.Config) + "\n")
		os.Exit(1)
	}
}

@DECIDE@

// dealStart: cards have been dealt.
func dealStart(view *View) {}

// dealEnd: the deal is over; payoffs go by player.
func dealEnd(view *View, payoffs []int64) {}
