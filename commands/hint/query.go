package hint

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"fsbox/commands/words"
	"fsbox/search/match"
	"fsbox/textio/charset"
	"fsbox/textio/edit"
)

// Query differs in a small thing from one that found nothing. If it finds something, the hint is
// the place between Say and Then.
type Query struct {
	match.Query
	Say, Then string
	Raw       bool // finds only text that isn't UTF-8
}

// Queries are queries that one may be meant as, the likeliest first. Some may be no valid ones.
func Queries(asked match.Query) (all []Query) {
	add := func(when bool, say, then string, change func(*match.Query)) {
		if q := (Query{Query: asked, Say: say, Then: then}); when {
			change(&q.Query)
			all = append(all, q)
		}
	}
	text, regex := asked.Text, asked.Regex
	signs := strings.ContainsAny(text, regexSigns)
	add(!asked.IgnoreCase, "in another case it is in", ": set case_sensitive to false", func(q *match.Query) { q.IgnoreCase = true })
	add(asked.WholeWord, "as a part of longer words it is in", ": set whole_word to false", func(q *match.Query) { q.WholeWord = false })
	if !charset.IsASCII([]byte(text)) {
		all = append(all, inOtherEncoding(asked))
	}
	add(!regex && signs, "as a regular expression the query matches in", ": set use_regex", func(q *match.Query) { q.Regex = true })
	add(regex && signs, "as literal text the query is in", ": set use_regex to false", func(q *match.Query) { q.Regex = false })
	add(regex && unescaped(text) != text, "as literal text, without the backslashes, the query is in",
		": set use_regex to false, or put a backslash before each of "+regexSigns+" that is literal",
		func(q *match.Query) { q.Regex, q.Text = false, unescaped(text) })
	add(regex && !asked.Multiline, "over several lines it matches in", ": set multiline", func(q *match.Query) { q.Multiline = true })
	bare := strings.ReplaceAll(text, `\b`, "")
	add(regex && bare != text && !charset.IsASCII([]byte(bare)), `\b knows only letters of ASCII; as a whole word the query matches in`,
		words.Phrase(": set query to %q and whole_word", bare), func(q *match.Query) { q.Text, q.WholeWord = bare, true })
	for _, strict := range [...]bool{true, false} {
		meant := fromDialect(text, strict)
		emptyGroup := strings.Contains(meant, "()") // nobody means one: the signs themselves were meant
		add(meant != text && !emptyGroup, "RE2 writes some signs without a backslash, and \\b for \\< and \\>; so written the query matches in",
			words.Phrase(": set query to %q and use_regex", meant), func(q *match.Query) { q.Text, q.Regex = meant, true })
	}
	if m := regexp.MustCompile(`^/(.+)/([gimsuy]*)$`).FindStringSubmatch(text); m != nil {
		then, anyCase := words.Phrase(": set query to %q", m[1]), strings.Contains(m[2], "i")
		if mayBeRegex(m[1]) {
			then += ", with use_regex"
		}
		if anyCase {
			then += ", with case_sensitive false"
		}
		add(true, "without the slashes around it the query matches in", then, func(q *match.Query) {
			q.Text, q.Regex, q.IgnoreCase = m[1], regex || mayBeRegex(m[1]), q.IgnoreCase || anyCase
		})
	}
	for _, v := range [...]struct{ text, without string }{
		{strings.TrimSpace(text), "without surrounding blanks"},
		{between(text, `"'`+"`"), "without surrounding quotes"},
		{string(edit.WithoutNumbers([]byte(text))), "without the line number before it"},
		{string(edit.WithoutEntities([]byte(text))), "with < > & instead of HTML entities"},
		{strings.NewReplacer(`\"`, `"`, `\'`, `'`).Replace(text), "without the backslashes"},
		{strings.Trim(strings.ReplaceAll(text, `\n`, "\n"), "\n"), "without \\n as two characters"},
	} {
		say, then, lines := v.without, "", strings.Contains(v.text, "\n")
		if lines && !strings.Contains(text, "\n") {
			say = "with line ends for \\n as two characters"
		}
		if lines && !asked.Multiline {
			then = ": set multiline"
		}
		add(v.text != text && v.text != "" && !(regex && lines), say+" the query is in", then, func(q *match.Query) {
			q.Text, q.Multiline = v.text, q.Multiline || lines
		})
	}
	bracketed := regexp.MustCompile(`\\.|[()]`).ReplaceAllStringFunc(text, func(sign string) string {
		return `\` + strings.TrimPrefix(sign, `\`)
	})
	add(bracketed != text && (regex || bracketed != regexp.QuoteMeta(text)),
		"with literal parentheses the query matches in", words.Phrase(": set query to %q and use_regex", bracketed),
		func(q *match.Query) { q.Text, q.Regex = bracketed, true })
	return all
}

// How much text is searched for what a query may also be meant as, in bytes. In most searches for a
// name, another case is of no interest: so that takes next to nothing.
const (
	maxAsRegex   = 32 << 20
	maxOtherCase = 1 << 20
)

// AlsoMeant is what a query may be meant as although it finds something, and how many bytes may be
// searched for it: a regular expression, or any case if it has small letters only.
func AlsoMeant(asked match.Query) (q Query, most int64, ok bool) {
	q = Query{Query: asked}
	text := asked.Text
	switch {
	case !asked.Regex && isMeantAsRegex(text):
		q.Regex, q.Say, q.Then = true, "as a regular expression the query matches", ": set use_regex"
		return q, maxAsRegex, true
	case !asked.IgnoreCase && utf8.ValidString(text) && text == strings.ToLower(text) && hasLetters(text, asked.Regex):
		q.IgnoreCase, q.Say, q.Then = true, "ignoring case the query matches", ": set case_sensitive to false"
		return q, maxOtherCase, true
	}
	return q, 0, false
}

// hasLetters reports whether case matters in a query: in an expression, what follows a backslash is
// no letter.
func hasLetters(query string, isRegex bool) bool {
	if isRegex {
		query = regexp.MustCompile(`\\.`).ReplaceAllString(query, "")
	}
	return query != strings.ToUpper(query)
}

// isMeantAsRegex reports whether a query looks like a regular expression that matches certain lines
// only, not also every empty one.
func isMeantAsRegex(query string) bool {
	if !strings.ContainsAny(query, regexSigns) {
		return false
	}
	if !match.LooksLikeRegex(query, "") && !regexp.MustCompile(`^\^\w|\w\$$|\[\^?\w-\w`).MatchString(query) {
		return false
	}
	re, err := regexp.Compile(query)
	return err == nil && !re.MatchString("")
}

// inOtherEncoding finds a query beyond ASCII in files that aren't UTF-8: each of its characters is
// there one byte or several that aren't valid, which a regular expression takes for \x1A.
func inOtherEncoding(q match.Query) Query {
	invalid := `\x1A`
	if !q.Regex {
		q.Text, invalid = regexp.QuoteMeta(q.Text), invalid+"+"
	}
	q.Text, q.Regex = regexp.MustCompile(`[^[:ascii:]]`).ReplaceAllLiteralString(q.Text, invalid), true
	return Query{Query: q, Raw: true, Say: "in a file that isn't UTF-8 it may be in", Then: words.Phrase(
		": read with its encoding, such as windows-1252, shows it, and query %q with use_regex finds it", q.Text)}
}

// AllAtOnce is a query for what any of several finds, and maybe more.
func AllAtOnce(all []Query) match.Query {
	if len(all) == 1 {
		return all[0].Query
	}
	union := match.Query{Regex: true}
	var exprs []string
	for _, q := range all {
		flags, expr := "", q.Text
		if q.IgnoreCase {
			flags += "i"
		}
		if q.Multiline {
			flags += "s"
		}
		if !q.Regex {
			expr = regexp.QuoteMeta(expr)
		}
		exprs = append(exprs, "(?"+flags+":"+expr+")")
		union.Multiline = union.Multiline || q.Multiline
	}
	union.Text = strings.Join(exprs, "|")
	return union
}

// fromDialect is a query in RE2's form that was written for grep, sed or vi, where some signs have
// their meaning only after a backslash. If it is strict, they are themselves without one.
func fromDialect(query string, strict bool) string {
	foreign := false
	out := regexp.MustCompile(`\\.|[|(){}+?]`).ReplaceAllStringFunc(query, func(sign string) string {
		meant, escaped := strings.CutPrefix(sign, `\`)
		switch {
		case !escaped && strict:
			return `\` + sign
		case !escaped || !strings.Contains("|(){}+?<>Zz", meant):
			return sign
		}
		foreign = true
		return strings.NewReplacer("<", `\b`, ">", `\b`, "Z", "$", "z", "$").Replace(meant)
	})
	if !foreign {
		return query
	}
	return out
}

// regexSigns have a meaning of their own in a regular expression.
const regexSigns = `\.*+?()[]{}|^$`

// unescaped is a regular expression as the literal text that its author may mean: he escaped some
// signs and forgot others.
func unescaped(regex string) string {
	return regexp.MustCompile(`\\([\\.*+?()\[\]{}|^$])`).ReplaceAllString(regex, "$1")
}

// mayBeRegex reports whether a query is a regular expression and not only a text.
func mayBeRegex(query string) bool {
	_, err := syntax.Parse(query, syntax.Perl)
	return err == nil && strings.ContainsAny(query, regexSigns)
}

// between takes the same sign off both ends of a text.
func between(text, signs string) string {
	if len(text) > 2 && text[0] == text[len(text)-1] && strings.ContainsRune(signs, rune(text[0])) {
		return text[1 : len(text)-1]
	}
	return text
}
