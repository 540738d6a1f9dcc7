//go:build !linux

package testscript

func canAsk() bool { return false }

func shown() { panic("there is no terminal for tests on this system") }
