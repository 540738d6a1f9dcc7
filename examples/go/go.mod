module example.org/replace

go 1.24
