-- Yields where nobody resumes it.
return {
    act = function()
        coroutine.yield(1)
    end,
}
