#ifndef HERALD_CLIBCURL_SHIM_H
#define HERALD_CLIBCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Wraps libcurl's setters and getters, one function per kind of argument. Swift cannot call C
// functions with variable arguments.

static inline CURLcode herald_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_ALL);
}

static inline CURLcode herald_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode herald_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode herald_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode herald_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode herald_curl_set_headers(CURL *handle, struct curl_slist *list) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
}

static inline CURLcode herald_curl_set_list(
    CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}

static inline CURLcode herald_curl_set_writer(
    CURL *handle, CURLoption option, curl_write_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode herald_curl_set_reader(CURL *handle, curl_read_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_READFUNCTION, callback);
}

static inline CURLcode herald_curl_set_prerequest(CURL *handle, curl_prereq_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode herald_curl_set_tls_context(CURL *handle, curl_ssl_ctx_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, callback);
}

// The TLS library's session of the handle's connection; NULL if there is none.
static inline void *herald_curl_tls_session(CURL *handle) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK) { return NULL; }
    return info == NULL ? NULL : info->internals;
}

// CURL_SOCKET_BAD if the handle has no connection.
static inline curl_socket_t herald_curl_socket(CURL *handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket);
    return socket;
}

// The remote address of the last connection; NULL if there was none.
static inline const char *herald_curl_peer(CURL *handle) {
    char *address = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address);
    return address;
}

// Microseconds until the connection was open, including name resolution.
static inline curl_off_t herald_curl_connect_time(CURL *handle) {
    curl_off_t time = 0;
    curl_easy_getinfo(handle, CURLINFO_CONNECT_TIME_T, &time);
    return time;
}

static inline long herald_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

static inline void *herald_curl_private(CURL *handle) {
    char *value = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value);
    return value;
}

static inline CURLMcode herald_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// The next completed transfer and its result; NULL if there is none.
static inline CURL *herald_curl_next_ended(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message = curl_multi_info_read(multi, &left);
    while (message != NULL && message->msg != CURLMSG_DONE) {
        message = curl_multi_info_read(multi, &left);
    }
    if (message == NULL) { return NULL; }
    *result = message->data.result;
    return message->easy_handle;
}

#endif
