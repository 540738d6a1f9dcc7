package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name    string
	content []byte
	program bool // is executable
}

func (e entry) mode() int64 {
	if e.program {
		return 0o755
	}
	return 0o644
}

// The time of all entries: the same contents make the same archive. It is the first that zip has.
func archiveTime() time.Time { return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) }

func zipped(entries []entry) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		// 3: made on Unix, so that modes count
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: archiveTime(), CreatorVersion: 3 << 8}
		header.ExternalAttrs = uint32(0o100000|e.mode()) << 16
		file, err := w.CreateHeader(header)
		if err == nil {
			_, err = file.Write(e.content)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func tarred(entries []entry) ([]byte, error) {
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	w := tar.NewWriter(packed)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Mode: e.mode(), Size: int64(len(e.content)), ModTime: archiveTime(), Format: tar.FormatUSTAR}
		err := w.WriteHeader(header)
		if err == nil {
			_, err = w.Write(e.content)
		}
		if err != nil {
			return nil, err
		}
	}
	err := errors.Join(w.Close(), packed.Close())
	return out.Bytes(), err
}
