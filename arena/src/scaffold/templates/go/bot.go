// @NAME@: @ABOUT@.
// hattari-game: @game@

package main

import "os"

// start is called at the start of a block.
func start(block *Block) {
	// The settings of the league (`config`). The bot has no settings yet.
	if string(block.Config) != "{}" {
		os.Stderr.WriteString("unknown settings in config: " + string(block.Config) + "\n")
		os.Exit(1)
	}
}

@DECIDE@

// dealStart is called after the cards have been dealt.
func dealStart(view *View) {}

// dealEnd is called at the end of a deal; payoffs are by player.
func dealEnd(view *View, payoffs []int64) {}
