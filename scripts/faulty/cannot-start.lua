-- Loops while its file is run.
while true do
end
