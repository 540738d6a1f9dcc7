package cmdline

import (
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/manual"
	"fsbox/commands/verb"
	"fsbox/commands/words"
)

// codeGroups are all codes: those of any request, path and change, then the others by subject. Help
// shows them, and for each command those of the others that it can answer with.
func codeGroups() []manual.Group {
	of := func(name string, codes ...answer.Code) manual.Group {
		return manual.Group{Name: name, Codes: CodeNames(codes)}
	}
	return []manual.Group{
		of("Any request", answer.CodeInvalidInput, answer.CodeUnknownTool, answer.CodeCallLimit, answer.CodeTimeout, answer.CodeCanceled,
			answer.CodeBusy, answer.CodeIOError, answer.CodeUnsupported,
			answer.CodeConfinementFailed, answer.CodeInternal),
		of("Any path", answer.CodeInvalidPath, answer.CodePathTraversal, answer.CodeOutsideWorkspace, answer.CodeSymlinkOutside,
			answer.CodeSymlinkLoop, answer.CodePathBlocked,
			answer.CodeNotFound, answer.CodeNotAFile, answer.CodeNotADirectory, answer.CodePermissionDenied),
		of("Any change", answer.CodeWritesDisabled, answer.CodeDeletesDisabled, answer.CodeApprovalRequired, answer.CodeApprovalDenied,
			answer.CodeReadOnly, answer.CodeNoSpace,
			answer.CodeDurabilityUnknown, answer.CodeBackupFailed, answer.CodeStale),
		of("Content of files", answer.CodeIsBinary, answer.CodeInvalidEncoding, answer.CodeFileTooLarge, answer.CodeWriteTooLarge,
			answer.CodeLineOutOfRange, answer.CodeInvalidMode),
		of("Names that are taken", answer.CodeFileExists, answer.CodeNotEmpty),
		of("Edits and patches", answer.CodeMatchNotFound, answer.CodeMultipleMatches, answer.CodeCountMismatch, answer.CodeEmptyExpectedText,
			answer.CodeNoChange, answer.CodeInvalidPatch,
			answer.CodePatchConflict, answer.CodeAmbiguousPatch),
		of("Searches and listings", answer.CodeInvalidRegex, answer.CodeInvalidGlob, answer.CodeInvalidCursor),
	}
}

// KnownCode reports whether help says that the command can answer with the code.
func KnownCode(all []verb.Verb, command, code string) bool {
	return slices.Contains(About(all, command).Codes, answer.Code(code)) ||
		slices.ContainsFunc(codeGroups()[:3], func(g manual.Group) bool { return slices.Contains(g.Codes, code) })
}

func CodeNames(codes []answer.Code) []string {
	return words.Mapped(codes, func(c answer.Code) string { return string(c) })
}
