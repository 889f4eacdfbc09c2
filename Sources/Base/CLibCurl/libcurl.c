#include "CLibCurl.h"

#include <dlfcn.h>
#include <openssl/ssl.h>
#include <stddef.h>
#include <string.h>

// The functions that Herald calls. Those of OpenSSL come from the library that libcurl uses.
#define FUNCTIONS(F)             \
    F(curl_global_init)          \
    F(curl_easy_init)            \
    F(curl_easy_cleanup)         \
    F(curl_easy_strerror)        \
    F(curl_easy_recv)            \
    F(curl_easy_send)            \
    F(curl_easy_setopt)          \
    F(curl_easy_getinfo)         \
    F(curl_slist_append)         \
    F(curl_slist_free_all)       \
    F(curl_multi_init)           \
    F(curl_multi_cleanup)        \
    F(curl_multi_setopt)         \
    F(curl_multi_add_handle)     \
    F(curl_multi_remove_handle)  \
    F(curl_multi_perform)        \
    F(curl_multi_poll)           \
    F(curl_multi_wakeup)         \
    F(curl_multi_info_read)      \
    F(SSL_CTX_set_alpn_protos)   \
    F(SSL_get0_alpn_selected)

static struct {
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
} library;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define ENTRY(name) {#name, offsetof(__typeof__(library), name)},
    FUNCTIONS(ENTRY)
};

const char *herald_curl_load(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) { return dlerror(); }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(handle, functions[i].name);
        if (function == NULL) { return dlerror(); }
        memcpy((char *)&library + functions[i].offset, &function, sizeof function);
    }
    CURLcode code = library.curl_global_init(CURL_GLOBAL_ALL);
    return code == CURLE_OK ? NULL : library.curl_easy_strerror(code);
}

CURL *herald_curl_easy_init(void) { return library.curl_easy_init(); }

void herald_curl_easy_cleanup(CURL *handle) { library.curl_easy_cleanup(handle); }

const char *herald_curl_easy_strerror(CURLcode code) { return library.curl_easy_strerror(code); }

CURLcode herald_curl_easy_recv(CURL *handle, void *buffer, size_t size, size_t *count) {
    return library.curl_easy_recv(handle, buffer, size, count);
}

CURLcode herald_curl_easy_send(CURL *handle, const void *buffer, size_t size, size_t *count) {
    return library.curl_easy_send(handle, buffer, size, count);
}

struct curl_slist *herald_curl_slist_append(struct curl_slist *list, const char *text) {
    return library.curl_slist_append(list, text);
}

void herald_curl_slist_free_all(struct curl_slist *list) { library.curl_slist_free_all(list); }

CURLM *herald_curl_multi_init(void) { return library.curl_multi_init(); }

void herald_curl_multi_cleanup(CURLM *multi) { library.curl_multi_cleanup(multi); }

CURLMcode herald_curl_multi_add_handle(CURLM *multi, CURL *handle) {
    return library.curl_multi_add_handle(multi, handle);
}

CURLMcode herald_curl_multi_remove_handle(CURLM *multi, CURL *handle) {
    return library.curl_multi_remove_handle(multi, handle);
}

CURLMcode herald_curl_multi_perform(CURLM *multi, int *running) {
    return library.curl_multi_perform(multi, running);
}

CURLMcode herald_curl_multi_poll(
    CURLM *multi, struct curl_waitfd *sockets, unsigned int count, int milliseconds) {
    return library.curl_multi_poll(multi, sockets, count, milliseconds, NULL);
}

CURLMcode herald_curl_multi_wakeup(CURLM *multi) { return library.curl_multi_wakeup(multi); }

CURLcode herald_curl_set_long(CURL *handle, CURLoption option, long value) {
    return library.curl_easy_setopt(handle, option, value);
}

CURLcode herald_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return library.curl_easy_setopt(handle, option, value);
}

CURLcode herald_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return library.curl_easy_setopt(handle, option, value);
}

CURLcode herald_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return library.curl_easy_setopt(handle, option, value);
}

CURLcode herald_curl_set_headers(CURL *handle, struct curl_slist *list) {
    return library.curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
}

CURLcode herald_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return library.curl_easy_setopt(handle, option, list);
}

CURLcode herald_curl_set_writer(CURL *handle, CURLoption option, curl_write_callback callback) {
    return library.curl_easy_setopt(handle, option, callback);
}

CURLcode herald_curl_set_reader(CURL *handle, curl_read_callback callback) {
    return library.curl_easy_setopt(handle, CURLOPT_READFUNCTION, callback);
}

CURLcode herald_curl_set_prerequest(CURL *handle, curl_prereq_callback callback) {
    return library.curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

CURLcode herald_curl_set_tls_context(CURL *handle, curl_ssl_ctx_callback callback) {
    return library.curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, callback);
}

CURLMcode herald_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return library.curl_multi_setopt(multi, option, value);
}

void *herald_curl_tls_session(CURL *handle) {
    struct curl_tlssessioninfo *info = NULL;
    if (library.curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK) { return NULL; }
    return info == NULL ? NULL : info->internals;
}

curl_socket_t herald_curl_socket(CURL *handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    library.curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket);
    return socket;
}

const char *herald_curl_peer(CURL *handle) {
    char *address = NULL;
    library.curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address);
    return address;
}

curl_off_t herald_curl_connect_time(CURL *handle) {
    curl_off_t time = 0;
    library.curl_easy_getinfo(handle, CURLINFO_CONNECT_TIME_T, &time);
    return time;
}

long herald_curl_status(CURL *handle) {
    long status = 0;
    library.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

void *herald_curl_private(CURL *handle) {
    char *value = NULL;
    library.curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value);
    return value;
}

CURL *herald_curl_next_ended(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message = library.curl_multi_info_read(multi, &left);
    while (message != NULL && message->msg != CURLMSG_DONE) {
        message = library.curl_multi_info_read(multi, &left);
    }
    if (message == NULL) { return NULL; }
    *result = message->data.result;
    return message->easy_handle;
}

int herald_ssl_offer_http2(void *context) {
    static const unsigned char protocols[] = "\x02h2\x08http/1.1";
    return library.SSL_CTX_set_alpn_protos(
        (SSL_CTX *)context, protocols, sizeof protocols - 1);
}

int herald_ssl_speaks_http2(void *session) {
    const unsigned char *protocol = NULL;
    unsigned int length = 0;
    library.SSL_get0_alpn_selected((const SSL *)session, &protocol, &length);
    return length == 2 && memcmp(protocol, "h2", 2) == 0;
}
