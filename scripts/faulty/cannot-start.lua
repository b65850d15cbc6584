-- Runs an endless loop while the file is loaded.
while true do
end
