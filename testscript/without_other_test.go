//go:build !linux

package testscript

func lack() {}
