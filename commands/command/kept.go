package command

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Kept holds what calls leave for a later call of the same stream: in memory, for ten minutes, and
// no more than a few MiB. Its zero value is ready; a nil one keeps nothing.
type Kept struct {
	mutex sync.Mutex
	all   []keptItem // the oldest first
	count int        // of all that there ever were
}

type keptItem struct {
	id   string
	what any
	size int
	at   time.Time
}

// The bounds of what is kept.
const (
	keptFor  = 10 * time.Minute
	mostKept = 4 << 20 // bytes
)

// Put keeps something that takes size bytes, and gives its ID; "" if it is too large. What is
// oldest makes room.
func (k *Kept) Put(what any, size int) (id string) {
	if k == nil || size > mostKept {
		return ""
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.expire()
	total := size
	for _, one := range k.all {
		total += one.size
	}
	for ; total > mostKept; k.all = k.all[1:] {
		total -= k.all[0].size
		k.all[0].what = nil
	}
	k.count++
	id = fmt.Sprintf("p%d", k.count)
	k.all = append(k.all, keptItem{id, what, size, time.Now()})
	return id
}

// Get gives what is kept under an ID; nil if there is nothing.
func (k *Kept) Get(id string) any {
	if k == nil {
		return nil
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.expire()
	for _, one := range k.all {
		if one.id == id {
			return one.what
		}
	}
	return nil
}

// Drop lets go of what is kept under an ID.
func (k *Kept) Drop(id string) {
	if k == nil || id == "" {
		return
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.all = slices.DeleteFunc(k.all, func(one keptItem) bool { return one.id == id })
}

func (k *Kept) expire() {
	k.all = slices.DeleteFunc(k.all, func(one keptItem) bool { return time.Since(one.at) >= keptFor })
}
