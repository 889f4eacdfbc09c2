// A server that takes FCM sends and counts them: sink FOLDER [chunked] [log] [titles] [delay=MILLISECONDS]
//
// It has one thread. One port serves HTTP/1.1 without TLS, with persistent connections. The other serves HTTP/2
// over TLS, with certificate.pem and key.pem of FOLDER, and allows 100 streams per connection. It prints both
// ports. Every send is answered with a message name; with `chunked`, no answer has a content-length.
// `POST /token` returns an access token that is as long as a service account's.
//
// With `log`, FOLDER/log has one line per send: the time of its arrival in nanoseconds of the machine's monotonic
// clock, the number of its connection, and a hash of its registration. Over HTTP/2, with `delay`, a send is answered
// that long after its arrival, and less than 2 ms later.
//
// With `titles`, FOLDER/titles has one line per send: its registration and the title of its notification.
//
// It counts the requests in FOLDER/account, a memory-mapped file that survives the process. The file has four
// 64-bit numbers: sends, distinct registrations, and the times of the first and the newest send in nanoseconds
// of the machine's monotonic clock.

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { READ = 256 * 1024, BODY = 8192, SLOTS = 1 << 22 };

struct account { uint64_t sends, distinct, first, newest; };

struct stream { int32_t id; int isToken; size_t length; char body[BODY]; const char *answer; size_t left; struct stream *next; };

struct connection {
    int fd;
    int isListener;
    unsigned number;
    SSL *tls;
    nghttp2_session *session;
    char *input;
    size_t count;
    char *output;
    size_t start, end, room;
    int isOver;
    // The next connection with answers to write.
    int hasAnswers;
    struct connection *next;
};

// A send that is answered later.
struct waiting { uint64_t due; struct connection *connection; int32_t id; };

static struct account *account;
static uint64_t *seen;
static int chunked;
static FILE *requests;
static FILE *titles;
static struct stream *spare;
// A ring. All sends wait equally long, so that they are in the order of their due times.
static uint64_t delay;
static struct waiting *waiting;
static size_t oldest, waits, ring;
static char token_answer[2048];
static size_t token_length;
static const char answer[] = "{\n  \"name\": \"projects/bench/messages/0:1732190000123456%31bd1c9631bd1c96\"\n}\n";
static char reading[READ];

static void die(const char *what) { perror(what); exit(1); }

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// Returns the text of a field of JSON without escapes, and its length.
static const char *text(const char *body, size_t length, const char *key, size_t *found) {
    const char *end = body + length, *at = memmem(body, length, key, strlen(key));
    *found = 0;
    if (at == NULL) { return body; }
    for (at += strlen(key); at < end && *at != '"'; at++) {}
    const char *start = ++at;
    while (at < end && *at != '"') { at++; }
    *found = at > end ? 0 : (size_t)(at - start);
    return start;
}

// 64 bits identify a registration: two of a million collide once in 37 million runs.
static void count(const char *body, size_t length, unsigned connection) {
    uint64_t moment = now();
    if (account->sends == 0) { account->first = moment; }
    account->newest = moment;
    account->sends++;
    const char *token = memmem(body, length, "\"token\":", 8);
    if (token == NULL) { return; }
    const char *end = body + length;
    for (token += 8; token < end && *token != '"'; token++) {}
    uint64_t hash = 14695981039346656037u;
    for (token++; token < end && *token != '"'; token++) {
        hash = (hash ^ (unsigned char)*token) * 1099511628211u;
    }
    hash ^= hash >> 32;
    hash = hash * 0xD6E8FEB86659FD93u | 1;
    if (requests != NULL) {
        fprintf(requests, "%llu %u %016llx\n", (unsigned long long)moment, connection, (unsigned long long)hash);
    }
    if (titles != NULL) {
        size_t first, second;
        const char *registration = text(body, length, "\"token\":", &first);
        const char *title = text(body, length, "\"title\":", &second);
        fprintf(titles, "%.*s %.*s\n", (int)first, registration, (int)second, title);
    }
    size_t slot = (hash >> 20) & (SLOTS - 1);
    while (seen[slot] != 0 && seen[slot] != hash) { slot = (slot + 1) & (SLOTS - 1); }
    if (seen[slot] == hash) { return; }
    seen[slot] = hash;
    account->distinct++;
}

static void add(struct connection *c, const void *bytes, size_t length) {
    if (c->end + length > c->room) {
        memmove(c->output, c->output + c->start, c->end - c->start);
        c->end -= c->start;
        c->start = 0;
        while (c->end + length > c->room) { c->room = c->room == 0 ? 65536 : c->room * 2; }
        c->output = realloc(c->output, c->room);
    }
    memcpy(c->output + c->end, bytes, length);
    c->end += length;
}

// HTTP/2

static ssize_t give(nghttp2_session *s, int32_t id, uint8_t *space, size_t size, uint32_t *flags,
                    nghttp2_data_source *source, void *context) {
    (void)s, (void)id, (void)context;
    struct stream *stream = source->ptr;
    size_t n = stream->left < size ? stream->left : size;
    memcpy(space, stream->answer, n);
    stream->answer += n;
    stream->left -= n;
    if (stream->left == 0) { *flags |= NGHTTP2_DATA_FLAG_EOF; }
    return (ssize_t)n;
}

static int begin(nghttp2_session *s, const nghttp2_frame *frame, void *context) {
    (void)context;
    struct stream *stream = spare;
    if (stream != NULL) { spare = stream->next; } else { stream = malloc(sizeof *stream); }
    stream->id = frame->hd.stream_id;
    stream->isToken = 0;
    stream->length = 0;
    nghttp2_session_set_stream_user_data(s, frame->hd.stream_id, stream);
    return 0;
}

static int header(nghttp2_session *s, const nghttp2_frame *frame, const uint8_t *name, size_t nameLength,
                  const uint8_t *value, size_t length, uint8_t flags, void *context) {
    (void)flags, (void)context;
    struct stream *stream = nghttp2_session_get_stream_user_data(s, frame->hd.stream_id);
    if (stream != NULL && nameLength == 5 && memcmp(name, ":path", 5) == 0) {
        stream->isToken = length == 6 && memcmp(value, "/token", 6) == 0;
    }
    return 0;
}

static int data(nghttp2_session *s, uint8_t flags, int32_t id, const uint8_t *bytes, size_t length, void *context) {
    (void)flags, (void)context;
    struct stream *stream = nghttp2_session_get_stream_user_data(s, id);
    if (stream == NULL || stream->length + length > BODY) { return 0; }
    memcpy(stream->body + stream->length, bytes, length);
    stream->length += length;
    return 0;
}

#define FIELD(n, v, l) {(uint8_t *)n, (uint8_t *)v, sizeof n - 1, l, NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE}

static void wait_(struct connection *c, int32_t id) {
    if (waits == ring) {
        size_t room = ring == 0 ? 1024 : ring * 2;
        struct waiting *larger = malloc(room * sizeof *larger);
        if (larger == NULL) { die("malloc"); }
        for (size_t i = 0; i < waits; i++) { larger[i] = waiting[(oldest + i) % ring]; }
        free(waiting);
        waiting = larger;
        oldest = 0;
        ring = room;
    }
    waiting[(oldest + waits++) % ring] = (struct waiting){now() + delay, c, id};
}

static void submit(nghttp2_session *s, struct stream *stream) {
    static const char type[] = "application/json; charset=UTF-8";
    static char sizes[2][8];
    if (sizes[0][0] == 0) {
        snprintf(sizes[0], 8, "%zu", sizeof answer - 1);
        snprintf(sizes[1], 8, "%zu", token_length);
    }
    stream->answer = stream->isToken ? token_answer : answer;
    stream->left = stream->isToken ? token_length : sizeof answer - 1;
    const char *size = sizes[stream->isToken];
    nghttp2_nv fields[] = {FIELD(":status", "200", 3), FIELD("content-type", type, sizeof type - 1),
                           FIELD("content-length", size, strlen(size))};
    nghttp2_data_provider provider = {.source.ptr = stream, .read_callback = give};
    nghttp2_submit_response(s, stream->id, fields, chunked ? 2 : 3, &provider);
}

static int received(nghttp2_session *s, const nghttp2_frame *frame, void *context) {
    struct connection *c = context;
    if (!(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) { return 0; }
    struct stream *stream = nghttp2_session_get_stream_user_data(s, frame->hd.stream_id);
    if (stream == NULL) { return 0; }
    if (!stream->isToken) { count(stream->body, stream->length, c->number); }
    if (delay > 0 && !stream->isToken) { wait_(c, stream->id); } else { submit(s, stream); }
    return 0;
}

static int closed(nghttp2_session *s, int32_t id, uint32_t code, void *context) {
    (void)code, (void)context;
    struct stream *stream = nghttp2_session_get_stream_user_data(s, id);
    if (stream != NULL) {
        stream->next = spare;
        spare = stream;
    }
    return 0;
}

static void setUp(struct connection *c) {
    nghttp2_session_callbacks *callbacks;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, begin);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, received);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, closed);
    nghttp2_session_server_new(&c->session, callbacks, c);
    nghttp2_session_callbacks_del(callbacks);
    // The limit of Google's servers.
    nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 100},
                                         {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20}};
    nghttp2_submit_settings(c->session, 0, settings, 2);
    nghttp2_session_set_local_window_size(c->session, 0, 0, 16 << 20);
}

// HTTP/1.1

static void respond(struct connection *c, const char *body, size_t length) {
    char head[256];
    int n = chunked
        ? snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\n"
                   "Transfer-Encoding: chunked\r\n\r\n%zx\r\n", length)
        : snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\n"
                   "Content-Length: %zu\r\n\r\n", length);
    add(c, head, (size_t)n);
    add(c, body, length);
    if (chunked) { add(c, "\r\n0\r\n\r\n", 7); }
}

static size_t bodyLength(const char *head, const char *end) {
    for (const char *line = head; (line = memchr(line, '\n', (size_t)(end - line))) != NULL;) {
        line++;
        if (end - line > 15 && strncasecmp(line, "content-length:", 15) == 0) { return strtoul(line + 15, NULL, 10); }
    }
    return 0;
}

static void parse(struct connection *c) {
    char *at = c->input;
    for (;;) {
        size_t left = c->count - (size_t)(at - c->input);
        char *end = memmem(at, left, "\r\n\r\n", 4);
        if (end == NULL) { break; }
        char *body = end + 4;
        size_t length = bodyLength(at, end + 1);
        if ((size_t)(c->input + c->count - body) < length) { break; }
        if (memcmp(at, "POST /token", 11) == 0) {
            respond(c, token_answer, token_length);
        } else {
            count(body, length, c->number);
            respond(c, answer, sizeof answer - 1);
        }
        at = body + length;
    }
    c->count -= (size_t)(at - c->input);
    memmove(c->input, at, c->count);
}

// Sockets

static void take(struct connection *c, const char *bytes, size_t length) {
    if (c->tls != NULL) {
        if (c->session == NULL) { setUp(c); }
        if (nghttp2_session_mem_recv(c->session, (const uint8_t *)bytes, length) < 0) { c->isOver = 1; }
        return;
    }
    if (c->count + length > READ) { c->isOver = 1; return; }
    if (c->input == NULL) { c->input = malloc(READ); }
    memcpy(c->input + c->count, bytes, length);
    c->count += length;
    parse(c);
}

static void readAll(struct connection *c) {
    while (!c->isOver) {
        ssize_t n;
        if (c->tls != NULL) {
            n = SSL_read(c->tls, reading, READ);
            if (n <= 0) {
                int error = SSL_get_error(c->tls, (int)n);
                if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) { c->isOver = 1; }
                return;
            }
        } else {
            n = recv(c->fd, reading, READ / 2, 0);
            if (n <= 0) {
                if (n == 0 || errno != EAGAIN) { c->isOver = 1; }
                return;
            }
        }
        take(c, reading, (size_t)n);
        if (c->tls == NULL && n < READ / 2) { return; }
    }
}

static void writeAll(struct connection *c) {
    while (!c->isOver) {
        while (c->session != NULL && c->end - c->start < 65536) {
            const uint8_t *bytes;
            ssize_t n = nghttp2_session_mem_send(c->session, &bytes);
            if (n < 0) { c->isOver = 1; }
            if (n <= 0) { break; }
            add(c, bytes, (size_t)n);
        }
        if (c->start == c->end) { break; }
        int length = (int)(c->end - c->start);
        ssize_t n = c->tls != NULL ? SSL_write(c->tls, c->output + c->start, length)
                                   : send(c->fd, c->output + c->start, (size_t)length, MSG_NOSIGNAL);
        if (n <= 0) {
            int again = c->tls != NULL ? SSL_get_error(c->tls, (int)n) == SSL_ERROR_WANT_WRITE : errno == EAGAIN;
            if (!again) { c->isOver = 1; }
            return;
        }
        c->start += (size_t)n;
        if (c->start == c->end) { c->start = c->end = 0; }
    }
    if (c->session != NULL && !nghttp2_session_want_read(c->session) && !nghttp2_session_want_write(c->session)) {
        c->isOver = 1;
    }
}

static void finish(struct connection *c) {
    for (size_t i = 0; i < waits; i++) {
        struct waiting *w = &waiting[(oldest + i) % ring];
        if (w->connection == c) { w->connection = NULL; }
    }
    if (c->session != NULL) { nghttp2_session_del(c->session); }
    if (c->tls != NULL) { SSL_free(c->tls); }
    close(c->fd);
    free(c->input);
    free(c->output);
    free(c);
}

// Answers the sends that are due. A stream that the client has reset is gone.
static void answerDue(void) {
    uint64_t moment = now();
    struct connection *first = NULL;
    for (; waits > 0 && waiting[oldest].due <= moment; oldest = (oldest + 1) % ring, waits--) {
        struct connection *c = waiting[oldest].connection;
        struct stream *stream = c == NULL ? NULL : nghttp2_session_get_stream_user_data(c->session, waiting[oldest].id);
        if (stream == NULL) { continue; }
        submit(c->session, stream);
        if (c->hasAnswers) { continue; }
        c->hasAnswers = 1;
        c->next = first;
        first = c;
    }
    while (first != NULL) {
        struct connection *c = first;
        first = c->next;
        c->hasAnswers = 0;
        writeAll(c);
        if (c->isOver) { finish(c); }
    }
}

// The milliseconds until a send is due.
static int rest(void) {
    if (waits == 0) { return -1; }
    uint64_t moment = now();
    return waiting[oldest].due <= moment ? 0 : (int)((waiting[oldest].due - moment + 999999) / 1000000);
}

static struct connection *open_(int poll, int fd) {
    static unsigned connections;
    struct connection *c = calloc(1, sizeof *c);
    c->fd = fd;
    c->number = connections++;
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = c};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event) != 0) { die("epoll_ctl"); }
    return c;
}

static struct connection *listenTo(int poll, int *port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 1024) != 0) { die("listen"); }
    getsockname(fd, (struct sockaddr *)&address, &length);
    *port = ntohs(address.sin_port);
    struct connection *c = open_(poll, fd);
    c->isListener = 1;
    return c;
}

static int choose(SSL *tls, const unsigned char **out, unsigned char *outLength, const unsigned char *in,
                  unsigned inLength, void *context) {
    (void)tls, (void)context;
    int chosen = nghttp2_select_next_protocol((unsigned char **)out, outLength, in, inLength);
    return chosen == 1 ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static void acceptAll(int poll, struct connection *listener, SSL_CTX *context) {
    for (;;) {
        int fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK);
        if (fd < 0) { return; }
        int one = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct connection *c = open_(poll, fd);
        if (context == NULL) { continue; }
        c->tls = SSL_new(context);
        SSL_set_fd(c->tls, fd);
        SSL_set_accept_state(c->tls);
    }
}

static void *map(const char *path, size_t size) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0) { die(path); }
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) { die("mmap"); }
    return memory;
}

int main(int argc, char **argv) {
    if (argc < 2 || chdir(argv[1]) != 0) { return 2; }
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "chunked") == 0) { chunked = 1; }
        if (strncmp(argv[i], "delay=", 6) == 0) { delay = (uint64_t)(atof(argv[i] + 6) * 1e6); }
        if (strcmp(argv[i], "titles") == 0 && (titles = fopen("titles", "w")) == NULL) { die("titles"); }
        if (strcmp(argv[i], "log") == 0 && (requests = fopen("log", "w")) == NULL) { die("log"); }
    }
    signal(SIGPIPE, SIG_IGN);
    account = map("account", sizeof *account);
    seen = calloc(SLOTS, sizeof *seen);
    char token[1024];
    memset(token, 'x', 1023);
    memcpy(token, "ya29.c.", 7);
    token[1023] = 0;
    token_length = (size_t)snprintf(token_answer, sizeof token_answer,
        "{\"access_token\":\"%s\",\"expires_in\":3599,\"token_type\":\"Bearer\"}", token);
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(context, "certificate.pem") != 1
        || SSL_CTX_use_PrivateKey_file(context, "key.pem", SSL_FILETYPE_PEM) != 1) { return 2; }
    SSL_CTX_set_alpn_select_cb(context, choose, NULL);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    int poll = epoll_create1(0), clear, secure;
    struct connection *ends[2] = {listenTo(poll, &clear), listenTo(poll, &secure)};
    printf("%d %d\n", clear, secure);
    fflush(stdout);
    struct epoll_event events[256];
    for (;;) {
        int n = epoll_wait(poll, events, 256, rest());
        for (int i = 0; i < n; i++) {
            struct connection *c = events[i].data.ptr;
            if (c->isListener) {
                acceptAll(poll, c, c == ends[1] ? context : NULL);
                continue;
            }
            readAll(c);
            if (!c->isOver || c->end > c->start) { writeAll(c); }
            if (c->isOver) { finish(c); }
        }
        if (waits > 0) { answerDue(); }
        if (requests != NULL) { fflush(requests); }
        if (titles != NULL) { fflush(titles); }
    }
}
