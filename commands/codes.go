package commands

import (
	"slices"

	"fsbox/commands/manual"
)

// codeGroups are all codes, by what a request has to do with them. Help shows them, and which
// a command has besides: ownCodes.
func codeGroups() []manual.Group {
	of := func(name string, codes ...Code) manual.Group {
		return manual.Group{Name: name, Codes: codeNames(codes)}
	}
	return []manual.Group{
		of("Any request", CodeInvalidInput, CodeUnknownTool, CodeCallLimit, CodeTimeout, CodeCanceled, CodeBusy, CodeIOError, CodeUnsupported,
			CodeConfinementFailed, CodeInternal),
		of("Any path", CodeInvalidPath, CodePathTraversal, CodeOutsideWorkspace, CodeSymlinkOutside, CodeSymlinkLoop, CodePathBlocked,
			CodeNotFound, CodeNotAFile, CodeNotADirectory, CodePermissionDenied),
		of("Any change", CodeWritesDisabled, CodeDeletesDisabled, CodeApprovalRequired, CodeApprovalDenied, CodeReadOnly, CodeNoSpace,
			CodeDurabilityUnknown, CodeBackupFailed, CodeStale),
		of("Content of files", CodeIsBinary, CodeInvalidEncoding, CodeFileTooLarge, CodeWriteTooLarge, CodeLineOutOfRange, CodeInvalidMode),
		of("Names that are taken", CodeFileExists, CodeNotEmpty),
		of("Edits and patches", CodeMatchNotFound, CodeMultipleMatches, CodeCountMismatch, CodeEmptyExpectedText, CodeNoChange, CodeInvalidPatch,
			CodePatchConflict, CodeAmbiguousPatch),
		of("Searches and listings", CodeInvalidRegex, CodeInvalidGlob, CodeInvalidCursor),
	}
}

// ownCodes are the codes of a command that not every request, path or change has.
func ownCodes(command string) []string {
	switch command {
	case "ls":
		return codeNames([]Code{CodeInvalidGlob, CodeInvalidCursor})
	case "glob":
		return codeNames([]Code{CodeInvalidGlob, CodeInvalidCursor})
	case "read":
		return codeNames([]Code{CodeIsBinary, CodeInvalidEncoding, CodeFileTooLarge, CodeLineOutOfRange, CodeInvalidCursor, CodeStale})
	case "grep":
		return codeNames([]Code{CodeInvalidRegex, CodeInvalidGlob, CodeInvalidCursor, CodeFileTooLarge, CodeIsBinary})
	case "write":
		return codeNames([]Code{CodeFileExists, CodeWriteTooLarge, CodeFileTooLarge, CodeInvalidEncoding, CodeInvalidMode, CodeIsBinary})
	case "append":
		return codeNames([]Code{CodeWriteTooLarge, CodeInvalidEncoding, CodeIsBinary})
	case "edit":
		return codeNames([]Code{CodeMatchNotFound, CodeMultipleMatches, CodeCountMismatch, CodeEmptyExpectedText, CodeNoChange, CodeIsBinary,
			CodeInvalidEncoding, CodeFileTooLarge, CodeWriteTooLarge})
	case "patch":
		return codeNames([]Code{CodeInvalidPatch, CodePatchConflict, CodeAmbiguousPatch, CodeFileExists, CodeIsBinary, CodeInvalidEncoding,
			CodeFileTooLarge, CodeWriteTooLarge, CodeNoChange})
	case "copy", "move":
		return codeNames([]Code{CodeFileExists, CodeNotEmpty, CodeFileTooLarge})
	case "delete":
		return codeNames([]Code{CodeNotEmpty})
	case "undo":
		return codeNames([]Code{CodeFileExists, CodeNotEmpty, CodeInvalidCursor})
	}
	return nil
}

// KnownCode reports whether help says that the command can answer with the code.
func KnownCode(command, code string) bool {
	return slices.Contains(ownCodes(command), code) ||
		slices.ContainsFunc(codeGroups()[:3], func(g manual.Group) bool { return slices.Contains(g.Codes, code) })
}

func codeNames(codes []Code) []string {
	names := make([]string, len(codes))
	for i, c := range codes {
		names[i] = string(c)
	}
	return names
}
