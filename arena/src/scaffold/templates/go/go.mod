module hattari.bot/@NAME@

go 1.19
