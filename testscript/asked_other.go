//go:build !linux

package testscript

func canAsk() bool { return false }

func asked() { panic("there is no terminal for tests on this system") }

func shown() { asked() }
