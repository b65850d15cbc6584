-- Is not Lua.
return { act = function( view legal } end
