package openfile

import (
	"context"

	"fsbox/sandbox/disk/system"

	"golang.org/x/sys/unix"
)

// kernelBlock is how many bytes the kernel copies between two checks of the context.
const kernelBlock = 16 << 20

// copyInKernel copies as much of a file as the kernel does: all of it, or nothing where the two
// files are on systems that can't do it, or less if the system fails later. The rest, and the error
// that it brings, is for who copies by reading.
func copyInKernel(ctx context.Context, from, to *File) (done int64, err error) {
	in, ok := descriptorOf(from)
	out, ok2 := descriptorOf(to)
	if !ok || !ok2 {
		return 0, nil
	}
	if unix.IoctlFileClone(out.FD, in.FD) == nil {
		return unix.Seek(out.FD, 0, unix.SEEK_END) // what is written to it from now on comes after its content
	}
	for at := int64(0); err == nil; err = ctx.Err() {
		n, failed := system.Retry(func() (int, error) { return unix.CopyFileRange(in.FD, &at, out.FD, nil, kernelBlock, 0) })
		if failed != nil || n <= 0 { // 0 is also what files without a size say that aren't empty
			break
		}
		done = at
	}
	return done, err
}

func descriptorOf(f *File) (h descriptor, ok bool) {
	switch of := f.Handle.(type) {
	case descriptor:
		return of, true
	case replaceable:
		return of.descriptor, true
	case *confirmed:
		of.ask()
		if h, ok = of.Handle.(descriptor); ok {
			ok = of.refuse() == nil // else the read that follows says so
		}
	}
	return h, ok
}
