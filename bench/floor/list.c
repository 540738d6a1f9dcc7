// What a listing with sizes and times can't do without: it opens each folder, reads its names, asks
// for each of them, and prints a line of JSON. Two threads, no order, no ignore files. With an
// argument it asks for no sizes and times, as a search by name.
//
//	cc -O2 -pthread list.c -o list; cd TREE; ./list >/dev/null; ./list names >/dev/null
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folders[1 << 20]; // to be read: the first count of them
static int count, busy, names_only;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;

static void add(const char *folder, const char *name) {
	pthread_mutex_lock(&mutex);
	asprintf(&folders[count++], "%s/%s", folder, name);
	pthread_cond_signal(&news);
	pthread_mutex_unlock(&mutex);
}

static void list(const char *folder) {
	static __thread char names[32 << 10];
	char lines[64 << 10];
	int size = 0, fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	for (ssize_t n; (n = getdents64(fd, names, sizeof names)) > 0;) {
		for (char *at = names; at < names + n; at += ((struct dirent64 *)at)->d_reclen) {
			struct dirent64 *d = (struct dirent64 *)at;
			struct stat st = {0};
			if (d->d_name[0] == '.') continue;
			if (!names_only) fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW);
			size += sprintf(lines + size, "{\"path\":\"%s/%s\",\"size\":%ld,\"modified\":%ld}\n", folder, d->d_name,
					(long)st.st_size, (long)st.st_mtime);
			if (size > sizeof lines / 2) write(1, lines, size), size = 0;
			if (d->d_type == DT_DIR) add(folder, d->d_name);
		}
	}
	write(1, lines, size);
	close(fd);
}

static void *worker(void *unused) {
	pthread_mutex_lock(&mutex);
	while (count > 0 || busy > 0) {
		if (count == 0) {
			pthread_cond_wait(&news, &mutex);
			continue;
		}
		char *folder = folders[--count];
		busy++;
		pthread_mutex_unlock(&mutex);
		list(folder);
		free(folder);
		pthread_mutex_lock(&mutex);
		busy--;
	}
	pthread_cond_broadcast(&news);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(int argc, char **argv) {
	pthread_t other;
	names_only = argc > 1;
	folders[count++] = strdup(".");
	pthread_create(&other, NULL, worker, NULL);
	worker(NULL);
	pthread_join(other, NULL);
}
