package change

import (
	"errors"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/textio"
)

// TextFailure says what is wrong with a file whose text can't be changed in places.
func TextFailure(path string, err error) error {
	if binary, ok := errors.AsType[*textio.BinaryError](err); ok {
		f := command.BinaryFailure(path, binary.Head).WithHint("only text files can be edited; replace the file with write")
		if looks := command.LooksWide(binary.Head); looks != "" {
			f.WithHint("%s, without which it can't be edited: read it with encoding %s, and replace it with write in the same encoding", looks,
				binary.Head.Unmarked.Name())
		}
		return f
	}
	if invalid, ok := errors.AsType[*textio.InvalidTextError](err); ok {
		return answer.Failf(answer.CodeInvalidEncoding, "%q is not valid %s", path, invalid.Encoding)
	}
	return err
}

// HintLoneCR is for files with the line ends of old Macs, which a reader of the answer may not see.
const HintLoneCR = "the file has CR without LF there, which doesn't end a line"
