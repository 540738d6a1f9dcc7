package dir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/host"
	"fsbox/sandbox/disk/openfile"
)

// OpenState opens a folder of the host that keeps a state. With create, a missing one is made, for
// this user alone.
func OpenState(path string, create bool) (Folder, error) {
	if create {
		if err := host.MakePrivate(path); err != nil {
			return nil, err
		}
	}
	above, err := Open(filepath.Dir(path), false)
	if err != nil {
		return nil, err
	}
	defer above.Close()
	return trustedState(above.Sub(filepath.Base(path)))
}

// SubState opens a folder in one of OpenState, which has that path. With create, a missing one is
// made, too.
func SubState(in Folder, path, name string, create bool) (Folder, error) {
	folder, err := in.Sub(name)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err := host.MakePrivate(filepath.Join(path, name)); err != nil {
			return nil, err
		}
		folder, err = in.Sub(name)
	}
	return trustedState(folder, err)
}

// trustedState refuses an open folder of the state that other users may write to, and closes it: if
// many users share a state_dir, somebody may have made the folder first. err is that of opening it.
func trustedState(folder Folder, err error) (Folder, error) {
	if err != nil {
		return nil, err
	}
	info, err := folder.Lstat(".")
	if err == nil {
		err = info.Trust("the state directory")
	}
	if err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

// created is openfile.New for a file that has just been made. If it can't be looked at, its name
// goes.
func created(in Folder, name string, h openfile.Handle) (*openfile.File, error) {
	f, err := openfile.New(h)
	if err == nil {
		return f, nil
	}
	if failed := in.Remove(name); failed != nil {
		err = errors.Join(err, fserr.LeftBehind(failed))
	}
	return nil, err
}

// CreatePrivate is Folder.Create of a file for this user alone, whatever the umask. Where the mode
// can't be changed, it is what the mount gives.
func CreatePrivate(in Folder, name string) (*openfile.File, error) {
	const private = 0o600
	f, err := in.Create(name, private)
	if err != nil || f.Info.Mode == private || os.PathSeparator != '/' {
		return f, err
	}
	if err := f.Chmod(private); err != nil && !fserr.IsRefused(err) {
		f.Close()
		return nil, errors.Join(err, in.Remove(name))
	}
	return f, nil
}
