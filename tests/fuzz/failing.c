/* A memory that runs out at the n-th request: LD_PRELOAD this, then `fail_at(n)`.
 *
 * Counts malloc, calloc, realloc, mmap (of memory), mremap and pthread_create of the whole process from that call on.
 * The n-th is refused, and with `for_good` all that follow it. `count_requests` says how many there were, and ends it.
 * Requests of the loader itself, for data of new threads, are granted: where they fail glibc ends the process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static atomic_long requests, failing = -1;
static atomic_int for_good_;

void fail_at(long number, int for_good) {
    atomic_store(&requests, 0);
    atomic_store(&for_good_, for_good);
    atomic_store(&failing, number);
}

long count_requests(void) {
    atomic_store(&failing, -1);
    return atomic_load(&requests);
}

static uintptr_t loader_begin, loader_end;

static int find_loader(struct dl_phdr_info *object, size_t size, void *given) {
    (void)size, (void)given;
    if (!strstr(object->dlpi_name, "/ld-linux")) return 0;
    loader_begin = object->dlpi_addr;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const uintptr_t end = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr + object->dlpi_phdr[i].p_memsz;
        if (end > loader_end) loader_end = end;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void) { dl_iterate_phdr(find_loader, NULL); }

static int refused_to(const void *caller) {
    const long at = atomic_load(&failing);
    if (at < 0 || ((uintptr_t)caller >= loader_begin && (uintptr_t)caller < loader_end)) return 0;
    const long number = atomic_fetch_add(&requests, 1) + 1;
    return number == at || (atomic_load(&for_good_) && at > 0 && number > at);
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static void *none(void) {
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size) { return refused_to(__builtin_return_address(0)) ? none() : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refused_to(__builtin_return_address(0)) ? none() : __libc_calloc(count, size); }
void *realloc(void *at, size_t size) { return refused_to(__builtin_return_address(0)) ? none() : __libc_realloc(at, size); }

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (!real) real = dlsym(RTLD_NEXT, "mmap");
    if ((flags & MAP_ANONYMOUS) && refused_to(__builtin_return_address(0))) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return real(at, size, protection, flags, file, offset);
}

void *mremap(void *at, size_t old_size, size_t new_size, int flags, ...) {
    static void *(*real)(void *, size_t, size_t, int, ...);
    if (!real) real = dlsym(RTLD_NEXT, "mremap");
    if (refused_to(__builtin_return_address(0))) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return real(at, old_size, new_size, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *given) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) real = dlsym(RTLD_NEXT, "pthread_create");
    return refused_to(__builtin_return_address(0)) ? EAGAIN : real(thread, attributes, start, given);
}
