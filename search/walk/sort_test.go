package walk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// names of all kinds are in the order that package strings gives them, none lost
func TestSortNames(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabets := []string{"a", "ab", "a\x00\xff", "0123456789", "abcdefghijklmnopqrstuvwxyz._-é"}
	for round := range 300 {
		alphabet := alphabets[round%len(alphabets)]
		prefix := strings.Repeat("file-", random.IntN(4))
		var names []Dirent
		for range random.IntN(2000) {
			name := []byte(prefix)
			for range random.IntN(12) {
				name = append(name, alphabet[random.IntN(len(alphabet))])
			}
			names = append(names, Dirent{Name: string(name)})
		}
		want := slices.SortedFunc(slices.Values(names), func(a, b Dirent) int { return strings.Compare(a.Name, b.Name) })
		if got := sortNames(names); !slices.Equal(got, want) {
			t.Fatalf("round %d: %d names of %q are not in order", round, len(got), alphabet)
		}
	}
}

func BenchmarkSortNames(b *testing.B) {
	var names []Dirent
	for i := range 300_000 {
		names = append(names, Dirent{Name: fmt.Sprintf("file%06d.txt", i)})
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, way := range []struct {
		name string
		sort func([]Dirent) []Dirent
	}{{"keys", sortNames}, {"compare", func(n []Dirent) []Dirent {
		slices.SortFunc(n, func(a, b Dirent) int { return strings.Compare(a.Name, b.Name) })
		return n
	}}} {
		b.Run(way.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				list := slices.Clone(names)
				b.StartTimer()
				way.sort(list)
			}
		})
	}
}
