-- Returns nothing.
return { act = function() end }
