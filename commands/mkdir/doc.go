// Package mkdir has the command mkdir.
package mkdir
