// Package delete has the command delete.
package delete
