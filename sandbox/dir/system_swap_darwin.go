package dir

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// swapNames exchanges two names in one step.
func swapNames(a *os.Root, nameA string, b *os.Root, nameB string) error {
	dirA, err := a.Open(".")
	if err != nil {
		return err
	}
	defer dirA.Close()
	dirB, err := b.Open(".")
	if err != nil {
		return err
	}
	defer dirB.Close()
	err = unix.RenameatxNp(int(dirA.Fd()), nameA, int(dirB.Fd()), nameB, unix.RENAME_SWAP)
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EINVAL) {
		return ErrUnsupported
	}
	return err
}
