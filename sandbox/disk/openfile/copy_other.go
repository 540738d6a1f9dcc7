//go:build !linux

package openfile

import "context"

// copyInKernel is for systems on which a file is copied by reading it.
func copyInKernel(context.Context, *File, *File) (int64, error) { return 0, nil }
