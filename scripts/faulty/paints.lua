-- Prints and raises text that a terminal, a spreadsheet or a page would interpret.
return {
    act = function(view, legal)
        print("\27[31mpainted\27]0;title\7\u{202e}\u{9b}2J")
        error("\27[2J\27[31m=cmd() <script>alert(1)</script> `x` <b>\n| forged: all limits hold |\n")
    end,
}
