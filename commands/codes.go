package commands

import (
	"slices"

	"fsbox/commands/manual"
	"fsbox/commands/words"
)

// codeGroups are all codes: those of any request, path and change, then the others by subject. Help
// shows them, and for each command those of the others that it can answer with.
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

// KnownCode reports whether help says that the command can answer with the code.
func KnownCode(command, code string) bool {
	return slices.Contains(aboutOf(command).codes, Code(code)) ||
		slices.ContainsFunc(codeGroups()[:3], func(g manual.Group) bool { return slices.Contains(g.Codes, code) })
}

func codeNames(codes []Code) []string {
	return words.Mapped(codes, func(c Code) string { return string(c) })
}
