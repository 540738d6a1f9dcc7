// Package approve has the command approve, with which the operator lets one request pass. Plans
// and tokens are in package approval.
package approve
