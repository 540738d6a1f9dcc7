package commands

// describe says what a tool is for, to a model that has never seen it and chooses among tools. It
// is one sentence about what the tool does, then when to take it and what else decides.
func describe(tool string) (title, text string) {
	switch tool {
	case "info":
		return "Describe a path", "Tell whether a path exists, and its type, size, time and etag; for text also encoding, line ends, number of lines and indentation."
	case "ls":
		return "List a folder", "List what is in a folder, with type, size and time; with recursive the whole tree below it, without what .gitignore names. To find files by name use glob."
	case "glob":
		return "Find files by name", "Find files, or folders, by a pattern such as **/*.go. Gives paths only; to find text in files use grep."
	case "read":
		return "Read a file", "Read lines of a text file. Long files come in pages; the answer says how to go on. A negative start_line reads the end."
	case "grep":
		return "Search in files", "Find lines that hold a text, or match a regular expression, in all files below a folder or in one file. Leaves out binary, hidden and ignored files, and says how many. " +
			"To find files by their name use glob."
	case "write":
		return "Write a file", "Create a file with the given content, or with mode overwrite replace all of it. To change a part of a file use edit or patch."
	case "append":
		return "Append to a file", "Add text to the end of a file; creates it if it is missing."
	case "edit":
		return "Edit a file", "Replace text in a file. Give expected_text, copied exactly from the file and long enough to be there only once, and replacement_text; " +
			"or several of these in edits, applied in order, all or none. Answers with a diff."
	case "patch":
		return "Apply a patch", "Apply a diff to one file or many, all of it or nothing: unified, git, or the *** Begin Patch form. " +
			"Line numbers in it may be off, context lines must be exact. Deleting and renaming in it need the right to delete."
	case "mkdir":
		return "Make a folder", "Make a folder, with the missing ones above it. write makes the folders of its file by itself."
	case "copy":
		return "Copy a file or folder", "Copy a file, or a folder with all in it."
	case "move":
		return "Move or rename", "Give a file, link or folder another path. Replaces nothing unless overwrite is set."
	case "delete":
		return "Delete a file or folder", "Remove a file, a link or a folder. undo can bring it back."
	case "undo":
		return "Undo a change", "Take back the newest change made with these tools, or an earlier one by its backup_id; refuses if somebody changed the files since. With list: show what can be taken back."
	case "check":
		return "Show settings", "Show what is in force: the root, whether writes and deletes are allowed, limits, and the rules for blocked paths."
	}
	return tool, ""
}
