package sandbox

import (
	"io/fs"
	"os"
)

const nonBlocking = 0

func mayAccess(st fs.FileInfo) (readable, writable bool) { return true, st.Mode()&0o200 != 0 }

// syncFolder does nothing: Windows has no way to sync a folder, NTFS journals its names itself.
func syncFolder(*os.File) error { return nil }

// tryLock always succeeds: Windows can't lock a folder. Parallel edits there are caught by if_match alone.
func tryLock(*os.File) error { return nil }

// chownLike does nothing: a new file inherits its owner and its access list from the folder.
func chownLike(*os.File, Info) error { return nil }

func identityFrom(st fs.FileInfo) (identity, uint64) { return identity{}, 1 }
