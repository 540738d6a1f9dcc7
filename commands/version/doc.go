// Package version says what the binary was made from.
package version
