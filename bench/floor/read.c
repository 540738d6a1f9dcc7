// What a search can't do without: it opens, asks for the size of, reads and closes each file that
// is named on standard input. Two threads; nothing is searched, and no folder is read.
//
//	cc -O2 -pthread read.c -o read; cd TREE; rg --no-require-git --files >/tmp/names; ./read </tmp/names
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *names[1 << 20];
static int count;
static atomic_int next;

static void *worker(void *unused) {
	static __thread char block[64 << 10];
	for (int i; (i = atomic_fetch_add(&next, 1)) < count;) {
		struct stat st;
		ssize_t n;
		int fd = open(names[i], O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		fstat(fd, &st);
		for (off_t at = 0; at < st.st_size && (n = pread(fd, block, sizeof block, at)) > 0; at += n) {}
		close(fd);
	}
	return NULL;
}

int main(void) {
	static char line[4096];
	pthread_t other;
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		names[count++] = strdup(line);
	}
	pthread_create(&other, NULL, worker, NULL);
	worker(NULL);
	pthread_join(other, NULL);
}
