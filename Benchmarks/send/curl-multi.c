// Sends to a list with a plain program that uses libcurl's multi interface:
// curl-multi URL LIST TEMPLATE TOKEN OPEN (1.1 | 2) [CA]
//
// For every line of LIST it posts TEMPLATE with `@` replaced by the line. OPEN requests are open at once, over
// HTTP/1.1 with persistent connections or over HTTP/2 with TLS. It keeps no ledger and retries nothing. It prints
// the numbers of requests that were answered with 200, answered with another status, and not answered.

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct transfer { CURL *easy; char body[8192]; };

static char *lines, *next, *end;
static const char *before, *after;
static size_t beforeLength, afterLength;

static char *read_(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) { perror(path); exit(2); }
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*length + 1);
    if (fread(text, 1, *length, file) != *length) { exit(2); }
    text[*length] = 0;
    fclose(file);
    return text;
}

static size_t drop(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

// Prepares the next request. Returns 0 if no line is left.
static int fill(struct transfer *t) {
    if (next >= end) { return 0; }
    char *stop = memchr(next, '\n', (size_t)(end - next));
    size_t length = (size_t)((stop == NULL ? end : stop) - next);
    memcpy(t->body, before, beforeLength);
    memcpy(t->body + beforeLength, next, length);
    memcpy(t->body + beforeLength + length, after, afterLength);
    next += length + 1;
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE, (long)(beforeLength + length + afterLength));
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS, t->body);
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 7) { return 2; }
    size_t length, templateLength;
    lines = next = read_(argv[2], &length);
    end = lines + length;
    char *template = read_(argv[3], &templateLength);
    char *mark = strchr(template, '@');
    before = template;
    beforeLength = (size_t)(mark - template);
    after = mark + 1;
    afterLength = templateLength - beforeLength - 1;
    int open = atoi(argv[5]), isNew = strcmp(argv[6], "2") == 0;
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)open * 2);
    curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)open);
    char authorization[4096];
    snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", argv[4]);
    struct curl_slist *headers = curl_slist_append(NULL, authorization);
    headers = curl_slist_append(headers, "Content-Type: application/json; charset=UTF-8");
    headers = curl_slist_append(headers, "Expect:");
    long good = 0, bad = 0, lost = 0;
    for (int i = 0; i < open; i++) {
        struct transfer *t = calloc(1, sizeof *t);
        t->easy = curl_easy_init();
        curl_easy_setopt(t->easy, CURLOPT_URL, argv[1]);
        curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, drop);
        curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t);
        curl_easy_setopt(t->easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(t->easy, CURLOPT_HTTP_VERSION, (long)(isNew ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
        curl_easy_setopt(t->easy, CURLOPT_PIPEWAIT, isNew ? 1L : 0L);
        if (argc > 7) { curl_easy_setopt(t->easy, CURLOPT_CAINFO, argv[7]); }
        if (fill(t)) { curl_multi_add_handle(multi, t->easy); }
    }
    int running = 1;
    while (running > 0) {
        curl_multi_perform(multi, &running);
        int left;
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left)) != NULL;) {
            if (message->msg != CURLMSG_DONE) { continue; }
            CURL *easy = message->easy_handle;
            long status = 0;
            struct transfer *t;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t);
            if (message->data.result != CURLE_OK) { lost++; } else if (status == 200) { good++; } else { bad++; }
            curl_multi_remove_handle(multi, easy);
            if (fill(t)) {
                curl_multi_add_handle(multi, easy);
                running++;
            }
        }
        if (running > 0) { curl_multi_poll(multi, NULL, 0, 1000, NULL); }
    }
    printf("%ld %ld %ld\n", good, bad, lost);
    return 0;
}
