package regex

import (
	"regexp/syntax"
	"unicode/utf8"
)

// maxWeight bounds the size of the compiled program, in instructions as weigh estimates them, so
// that compiling takes some 0.2 s at most and RE2 stays far from its own limit of some two million;
// beyond that it writes to stderr.
const maxWeight = 250_000

// maxReach bounds the lists that RE2 makes when it flattens a program: for each instruction, all
// instructions that can follow it without a character in between. That is quadratic in parts that
// may be empty: a?a?a?...
const maxReach = 1_000_000

// reach counts the entries of the lists described at maxReach, and stops above maxReach. The tree
// must be below maxWeight.
func reach(tree *syntax.Regexp) int {
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return maxReach + 1
	}
	sum, seen := 0, make([]int, len(prog.Inst))
	for i := range prog.Inst {
		switch prog.Inst[i].Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			sum += reachFrom(prog, prog.Inst[i].Out, i+1, seen)
		}
		if sum > maxReach {
			break
		}
	}
	return sum
}

// reachFrom counts the instructions that can follow without reading a character, beginning with
// from, together with those that read the next one. It sets seen to mark for each instruction
// visited.
func reachFrom(prog *syntax.Prog, from uint32, mark int, seen []int) (count int) {
	for stack := []uint32{from}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at >= uint32(len(seen)) || seen[at] == mark {
			continue // an instruction that no match reaches may lead to an index that doesn't exist
		}
		seen[at] = mark
		count++
		switch inst := &prog.Inst[at]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Arg, inst.Out)
		case syntax.InstNop, syntax.InstCapture, syntax.InstEmptyWidth:
			stack = append(stack, inst.Out)
		case syntax.InstRune:
			for i := 0; i+1 < len(inst.Rune); i += 2 {
				count += weighRange(inst.Rune[i], inst.Rune[i+1]) - 1
			}
		}
	}
	return count
}

// weigh estimates how many instructions RE2 will need, never less than it does.
func weigh(re *syntax.Regexp) int {
	sum := 2
	for _, sub := range re.Sub {
		sum += weigh(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		sum += weighLiteral(re)
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			sum += weighRange(re.Rune[i], re.Rune[i+1])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		sum += 12
	case syntax.OpRepeat:
		sum *= max(re.Min+1, re.Max, 1)
	}
	return min(sum, maxWeight+1)
}

func weighLiteral(re *syntax.Regexp) int {
	const mostVariants = 4 // of a character that differ in case, itself included
	perRune := utf8.UTFMax
	if re.Flags&syntax.FoldCase != 0 {
		perRune *= mostVariants
	}
	return perRune * len(re.Rune)
}

// weighRange gives an upper bound for the byte ranges in the UTF-8 sequences of the characters from
// lo to hi.
func weighRange(lo, hi rune) int {
	low, high := max(utf8.RuneLen(lo), 1), utf8.RuneLen(hi)
	if high < 0 {
		high = utf8.UTFMax
	}
	return 2*(high-low) + 2*high - 1
}
