// Package setup has the commands about the program itself: check shows the settings in force,
// schema defines the tools for a model's API. schema_request.go makes the schema of a request from
// the tags of its struct, schema_answer.go that of an answer from the types of its results.
package setup
