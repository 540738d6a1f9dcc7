//go:build !linux

package testscript

func lack() {}

func probe() { panic("only Linux has what it looks for") }
