// Package write has the command write, which makes a file or replaces its whole content.
package write
