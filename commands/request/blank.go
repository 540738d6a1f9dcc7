package request

func IsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
