-- Takes the first legal action.
return { act = function(view, legal) return 1 end }
