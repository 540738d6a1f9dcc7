// Package schema has the command schema, which defines the tools for a model's API. request.go
// makes the schema of a request from the tags of its struct, answer.go that of an answer from
// the types of its results.
package schema
