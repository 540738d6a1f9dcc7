package dir

import "os"

// mayAccess reports whether this process has a right to a name in a folder. Only opening tells for certain.
func mayAccess(folder *os.Root, _ int, name string, right Right) bool {
	st, err := folder.Stat(name)
	return err == nil && (right == Reading || st.Mode()&0o200 != 0)
}

// chownTo does nothing: a new file inherits its owner and its access list from the folder.
func chownTo(*os.File, Info) error { return nil }
