package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
)

// writeWheels writes a wheel a platform, with the binary as a script, which pip puts on the PATH,
// and completions and manual page as data, which it puts where shells and man look.
func (r release) writeWheels(all []built, license []byte, to string) error {
	for _, b := range all {
		if b.wheel == "" {
			continue
		}
		entries, err := r.wheelEntries(b, license)
		if err != nil {
			return err
		}
		content, err := zipped(entries)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(to, "pip", "fsbox-"+r.pythonVersion()+"-"+b.wheel+".whl"), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (r release) wheelEntries(b built, license []byte) ([]entry, error) {
	stem := "fsbox-" + r.pythonVersion()
	info := stem + ".dist-info/"
	entries := []entry{
		{stem + ".data/scripts/" + b.executable, b.binary, true},
		{info + "licenses/LICENSE", license, false},
		{info + "METADATA", fmt.Appendf(nil, wheelForm, r.pythonVersion(), about, r.home(), about, r.home(), r.mcpName()), false},
		{info + "WHEEL", wheelTags(b.wheel), false},
	}
	for _, file := range shareFiles() {
		text, err := printed(file.args...)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{stem + ".data/data/" + file.path, text, false})
	}
	var record strings.Builder
	for _, e := range entries {
		sum := sha256.Sum256(e.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", e.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.content))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	return append(entries, entry{info + "RECORD", []byte(record.String()), false}), nil
}

// wheelForm is what Python's index is told of a wheel.
//
//go:embed wheel/METADATA
var wheelForm string

// wheelTags lists each tag that the file name has in short: a dot in it separates platforms.
func wheelTags(tag string) []byte {
	text := "Wheel-Version: 1.0\nGenerator: fsbox\nRoot-Is-Purelib: false\n"
	for platform := range strings.SplitSeq(strings.TrimPrefix(tag, "py3-none-"), ".") {
		text += "Tag: py3-none-" + platform + "\n"
	}
	return []byte(text)
}
