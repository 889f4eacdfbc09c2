#ifndef HERALD_CLIBCURL_H
#define HERALD_CLIBCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// libcurl and its TLS library, loaded at the first use (decision 42). The functions without a
// description call the function of libcurl with the same name. All of them require
// `herald_curl_load`.

// Loads and initializes libcurl. Returns NULL, or why that failed. Call it once.
const char *herald_curl_load(void);

CURL *herald_curl_easy_init(void);
void herald_curl_easy_cleanup(CURL *handle);
const char *herald_curl_easy_strerror(CURLcode code);
CURLcode herald_curl_easy_recv(CURL *handle, void *buffer, size_t size, size_t *count);
CURLcode herald_curl_easy_send(CURL *handle, const void *buffer, size_t size, size_t *count);
struct curl_slist *herald_curl_slist_append(struct curl_slist *list, const char *text);
void herald_curl_slist_free_all(struct curl_slist *list);
CURLM *herald_curl_multi_init(void);
void herald_curl_multi_cleanup(CURLM *multi);
CURLMcode herald_curl_multi_add_handle(CURLM *multi, CURL *handle);
CURLMcode herald_curl_multi_remove_handle(CURLM *multi, CURL *handle);
CURLMcode herald_curl_multi_perform(CURLM *multi, int *running);
CURLMcode herald_curl_multi_poll(
    CURLM *multi, struct curl_waitfd *sockets, unsigned int count, int milliseconds);
CURLMcode herald_curl_multi_wakeup(CURLM *multi);

// libcurl's setters and getters, one function per kind of argument. Swift cannot call C functions
// with variable arguments.

CURLcode herald_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode herald_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode herald_curl_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode herald_curl_set_pointer(CURL *handle, CURLoption option, void *value);
CURLcode herald_curl_set_headers(CURL *handle, struct curl_slist *list);
CURLcode herald_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list);
CURLcode herald_curl_set_writer(CURL *handle, CURLoption option, curl_write_callback callback);
CURLcode herald_curl_set_reader(CURL *handle, curl_read_callback callback);
CURLcode herald_curl_set_prerequest(CURL *handle, curl_prereq_callback callback);
CURLcode herald_curl_set_tls_context(CURL *handle, curl_ssl_ctx_callback callback);
CURLMcode herald_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

// The TLS library's session of the handle's connection; NULL if there is none.
void *herald_curl_tls_session(CURL *handle);
// CURL_SOCKET_BAD if the handle has no connection.
curl_socket_t herald_curl_socket(CURL *handle);
// The remote address of the last connection; NULL if there was none.
const char *herald_curl_peer(CURL *handle);
// Microseconds until the connection was open, including name resolution.
curl_off_t herald_curl_connect_time(CURL *handle);
long herald_curl_status(CURL *handle);
void *herald_curl_private(CURL *handle);

// The next completed transfer and its result; NULL if there is none.
CURL *herald_curl_next_ended(CURLM *multi, CURLcode *result);

// Offers HTTP/2 and HTTP/1.1 to a server, in this order (RFC 7301). Returns 0 on success.
int herald_ssl_offer_http2(void *context);
// Returns whether the server chose HTTP/2.
int herald_ssl_speaks_http2(void *session);

#endif
