-- Is not valid Lua.
return { act = function( view legal } end
