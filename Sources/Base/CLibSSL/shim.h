#ifndef HERALD_CLIBSSL_SHIM_H
#define HERALD_CLIBSSL_SHIM_H

#include <openssl/ssl.h>
#include <string.h>

// Offers HTTP/2 and HTTP/1.1 to a server, in this order (RFC 7301). Returns 0 on success.
static inline int herald_ssl_offer_http2(void *context) {
    static const unsigned char protocols[] = "\x02h2\x08http/1.1";
    return SSL_CTX_set_alpn_protos((SSL_CTX *)context, protocols, sizeof protocols - 1);
}

// Returns whether the server chose HTTP/2.
static inline int herald_ssl_speaks_http2(void *session) {
    const unsigned char *protocol = NULL;
    unsigned int length = 0;
    SSL_get0_alpn_selected((const SSL *)session, &protocol, &length);
    return length == 2 && memcmp(protocol, "h2", 2) == 0;
}

#endif
