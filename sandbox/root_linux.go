package sandbox

// openRoot opens the folder that everything else starts from. The path comes from the operator: links on it are followed.
func openRoot(path string, portable bool) (folder, error) {
	if portable {
		return openPortable(path)
	}
	return openRootFolder(path)
}
