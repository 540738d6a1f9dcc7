package textio

// ScanNames counts the members of all objects in a JSON text by their colons, up to one more than
// most. It gives the first name that is longer than longest, in bytes, as it is in the text. Those
// who parse JSON keep all names in memory, to find duplicates, and quote them in their errors.
func ScanNames(text []byte, most, longest int) (members int, long []byte) {
	inString, start, end := false, 0, 0
	for i := 0; i < len(text) && members <= most; i++ {
		switch c := text[i]; {
		case c == '"' && inString:
			inString, end = false, i
		case c == '"':
			inString, start = true, i+1
		case c == '\\' && inString:
			i++
		case c == ':' && !inString:
			members++
			if long == nil && end-start > longest {
				long = text[start:end]
			}
		}
	}
	return members, long
}
