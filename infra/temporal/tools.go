//go:build tools

// Package temporal pins the Temporal command that Reeve builds when no other can be had.
package temporal

import _ "github.com/temporalio/cli/cmd/temporal"
