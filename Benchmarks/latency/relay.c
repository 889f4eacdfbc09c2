// A TCP relay with a long round trip: relay FOLDER PORT MILLISECONDS [SHARE SECONDS SEED]
//
// It accepts connections on the loopback address, prints its port, and passes their bytes to PORT of the same
// address. Each chunk, and the end of each direction, arrives after half of MILLISECONDS. The relay has one thread
// and no limit for the rate or for the bytes under way.
//
// With SHARE, this share of the connections, rounded up, is reset in both directions at once. A connection is reset
// at a random time of its first SECONDS; chunks under way are lost. SEED determines the times.
//
// FOLDER/connections has one line for each event of a connection: its time in nanoseconds of the machine's
// monotonic clock, the number of the connection from 1, and `opened`, `closed`, `failed` or `dropped`. The last
// three also have the bytes that reached the server and the client.

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { READ = 256 * 1024 };

struct side;

// Bytes for a side; without bytes, the end of the direction, or a failure of the other side.
struct chunk {
    uint64_t due;
    struct side *to;
    int isFailure;
    size_t start, length;
    struct chunk *next;
    char bytes[];
};

struct side {
    int fd;
    struct pair *pair;
    struct side *other;
    // Due chunks that the socket has not taken.
    struct chunk *first, *last;
    uint64_t bytes;
    int isEnded;
};

struct pair {
    struct side sides[2];
    unsigned number;
    // 0 if the connection is not dropped.
    uint64_t dropAt;
    int isOver;
    // Chunks that are under way.
    size_t chunks;
    struct pair *next;
};

static int poll_, timer;
static uint64_t delay;
static double share, seconds;
static unsigned count;
static uint16_t target;
static FILE *events;
static struct pair *pairs;
// All chunks have the same delay, so one queue holds them in the order of their due times.
static struct chunk *head, *tail;
static char reading[READ];

static void die(const char *what) { perror(what); exit(1); }

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void note(struct pair *p, const char *what) {
    fprintf(events, "%llu %u %s", (unsigned long long)now(), p->number, what);
    if (strcmp(what, "opened") != 0) {
        fprintf(events, " %llu %llu", (unsigned long long)p->sides[1].bytes, (unsigned long long)p->sides[0].bytes);
    }
    fprintf(events, "\n");
    fflush(events);
}

static void finish(struct pair *p, const char *why) {
    if (p->isOver) { return; }
    p->isOver = 1;
    note(p, why);
    for (int i = 0; i < 2; i++) {
        struct side *s = &p->sides[i];
        struct linger reset = {.l_onoff = 1, .l_linger = 0};
        if (strcmp(why, "closed") != 0) { setsockopt(s->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset); }
        close(s->fd);
        while (s->first != NULL) {
            struct chunk *c = s->first;
            s->first = c->next;
            free(c);
        }
    }
}

static void delayed(struct side *to, const char *bytes, size_t length, int isFailure) {
    struct chunk *c = malloc(sizeof *c + length);
    *c = (struct chunk){.due = now() + delay, .to = to, .isFailure = isFailure, .length = length};
    if (length > 0) { memcpy(c->bytes, bytes, length); }
    to->pair->chunks++;
    if (tail != NULL) { tail->next = c; } else { head = c; }
    tail = c;
}

static void readAll(struct side *s) {
    while (!s->pair->isOver && !s->isEnded) {
        ssize_t n = recv(s->fd, reading, READ, 0);
        if (n < 0 && errno == EAGAIN) { return; }
        if (n < 0 && errno == EINTR) { continue; }
        if (n <= 0) { s->isEnded = 1; }
        delayed(s->other, reading, n > 0 ? (size_t)n : 0, n < 0);
    }
}

static void writeAll(struct side *s) {
    while (!s->pair->isOver && s->first != NULL) {
        struct chunk *c = s->first;
        if (c->length == 0) {
            shutdown(s->fd, SHUT_WR);
            s->first = NULL;
            free(c);
            // The other direction has ended, too, and everything of it was written.
            if (s->isEnded && s->pair->chunks == 0 && s->other->first == NULL) { finish(s->pair, "closed"); }
            return;
        }
        ssize_t n = send(s->fd, c->bytes + c->start, c->length - c->start, MSG_NOSIGNAL);
        if (n < 0 && errno == EAGAIN) { return; }
        if (n < 0) { return finish(s->pair, "failed"); }
        c->start += (size_t)n;
        s->bytes += (uint64_t)n;
        if (c->start < c->length) { continue; }
        s->first = c->next;
        free(c);
    }
}

// Passes the due chunks on, and frees connections without chunks under way.
static void advance(void) {
    uint64_t moment = now();
    for (struct pair *p = pairs; p != NULL; p = p->next) {
        if (p->dropAt != 0 && p->dropAt <= moment) { finish(p, "dropped"); }
    }
    while (head != NULL && head->due <= moment) {
        struct chunk *c = head;
        head = c->next;
        if (head == NULL) { tail = NULL; }
        c->next = NULL;
        struct side *s = c->to;
        s->pair->chunks--;
        if (s->pair->isOver || c->isFailure) {
            finish(s->pair, "failed");
            free(c);
            continue;
        }
        if (s->first != NULL) { s->last->next = c; } else { s->first = c; }
        s->last = c;
        writeAll(s);
    }
    for (struct pair **p = &pairs; *p != NULL;) {
        struct pair *old = *p;
        if (!old->isOver || old->chunks > 0) { p = &old->next; continue; }
        *p = old->next;
        free(old);
    }
}

static void arm(void) {
    uint64_t due = head != NULL ? head->due : 0;
    for (struct pair *p = pairs; p != NULL; p = p->next) {
        if (!p->isOver && p->dropAt != 0 && (due == 0 || p->dropAt < due)) { due = p->dropAt; }
    }
    struct itimerspec at = {.it_value = {(time_t)(due / 1000000000u), (long)(due % 1000000000u)}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void watch(int fd, void *what) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = what};
    if (epoll_ctl(poll_, EPOLL_CTL_ADD, fd, &event) != 0) { die("epoll_ctl"); }
}

static int connected(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(target), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0 && errno != EINPROGRESS) { die("connect"); }
    return fd;
}

static void acceptAll(int listener) {
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (fd < 0) { return; }
        struct pair *p = calloc(1, sizeof *p);
        p->number = ++count;
        if (ceil(p->number * share) > ceil((p->number - 1) * share)) {
            p->dropAt = now() + 1 + (uint64_t)(drand48() * seconds * 1e9);
        }
        int fds[2] = {fd, connected()}, one = 1;
        for (int i = 0; i < 2; i++) {
            p->sides[i] = (struct side){.fd = fds[i], .pair = p, .other = &p->sides[1 - i]};
            setsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        }
        p->next = pairs;
        pairs = p;
        note(p, "opened");
        for (int i = 0; i < 2; i++) { watch(fds[i], &p->sides[i]); }
    }
}

static int listening(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 1024) != 0) { die("listen"); }
    getsockname(fd, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

int main(int argc, char **argv) {
    if ((argc != 4 && argc != 7) || chdir(argv[1]) != 0) { return 2; }
    target = (uint16_t)atoi(argv[2]);
    delay = (uint64_t)(atof(argv[3]) * 1e6 / 2);
    if (argc == 7) {
        share = atof(argv[4]);
        seconds = atof(argv[5]);
        srand48(atol(argv[6]));
    }
    signal(SIGPIPE, SIG_IGN);
    if ((events = fopen("connections", "w")) == NULL) { die("connections"); }
    poll_ = epoll_create1(0);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    int listener = listening();
    watch(listener, &listener);
    watch(timer, &timer);
    struct epoll_event ready[256];
    for (;;) {
        int n = epoll_wait(poll_, ready, 256, -1);
        for (int i = 0; i < n; i++) {
            void *what = ready[i].data.ptr;
            if (what == &listener) {
                acceptAll(listener);
            } else if (what == &timer) {
                uint64_t fired;
                if (read(timer, &fired, sizeof fired) < 0 && errno != EAGAIN) { die("timer"); }
            } else {
                readAll(what);
                writeAll(what);
            }
        }
        advance();
        arm();
    }
}
