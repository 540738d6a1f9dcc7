module fsbox/hosts

go 1.26.5
