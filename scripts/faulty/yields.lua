-- Yields at a decision, but no function resumes it.
return {
    act = function()
        coroutine.yield(1)
    end,
}
