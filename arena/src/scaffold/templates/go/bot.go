// @NAME@: @ABOUT@.
// hattari-game: @game@

package main

import "os"

// start is called at the start of a block (a series of deals).
func start(block *Block) {
	// The settings that a league gives under `config`. This bot has no settings, so it rejects them.
	if string(block.Config) != "{}" {
		os.Stderr.WriteString("unknown settings in config: " + string(block.Config) + "\n")
		os.Exit(1)
	}
}

@DECIDE@

// dealStart is called at the start of a deal, after the cards have been dealt.
func dealStart(view *View) {}

// dealEnd is called at the end of a deal. payoffs contains the payoff of each player.
func dealEnd(view *View, payoffs []int64) {}
