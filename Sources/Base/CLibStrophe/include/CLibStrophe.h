#ifndef HERALD_CLIBSTROPHE_H
#define HERALD_CLIBSTROPHE_H

#include <stddef.h>
#include <string.h>
#include <strophe.h>

// Swift does not import macros with casts.

// TLS from the first byte, and no stream management, which would acknowledge stanzas by itself.
static inline long herald_strophe_flags(void) {
    return XMPP_CONN_FLAG_LEGACY_SSL | XMPP_CONN_FLAG_DISABLE_SM;
}

// Whether the log reports XML that cannot be read; libstrophe then keeps the connection, but reads nothing more.
static inline int herald_strophe_is_parse_error(const char *line) {
    static const char start[] = "parse error";
    return strncmp(line, start, sizeof start - 1) == 0;
}

static inline size_t herald_strophe_length(const char *text) { return strlen(text); }

// The numbers of a stream error's type are those of `xmpp_error_type_t`.
static inline const char *herald_strophe_stream_error(const xmpp_stream_error_t *error) {
    static const char *const names[] = {
        "bad-format", "bad-namespace-prefix", "conflict", "connection-timeout", "host-gone",
        "host-unknown", "improper-addressing", "internal-server-error", "invalid-from", "invalid-id",
        "invalid-namespace", "invalid-xml", "not-authorized", "policy-violation",
        "remote-connection-failed", "resource-constraint", "restricted-xml", "see-other-host",
        "system-shutdown", "undefined-condition", "unsupported-encoding", "unsupported-stanza-type",
        "unsupported-version", "xml-not-well-formed",
    };
    if (error == NULL) { return NULL; }
    return (size_t)error->type < sizeof names / sizeof *names ? names[error->type] : "undefined-condition";
}

#endif
