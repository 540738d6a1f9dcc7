// Command hello is the least that a Go program can do: what starting a process costs.
package main

import "fmt"

func main() { fmt.Println("hello, world") }
