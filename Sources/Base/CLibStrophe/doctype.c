#include "CLibStrophe.h"

#include <dlfcn.h>

// Refuses document types in the XML of a server, which RFC 6120 forbids: entities in them could fill the memory and
// keep libstrophe busy for hours. libstrophe does not let its users configure its parser, expat. These functions take
// the place of expat's in this program, because the program comes first when libstrophe's symbols are resolved.

typedef struct XML_ParserStruct *parser;
typedef void (*start_of_doctype)(void *, const char *, const char *, const char *, int);

// Each connection has a thread, and uses its last parser.
static _Thread_local parser current;

static void refuse(void *owner, const char *name, const char *system, const char *public, int has_subset) {
    (void)owner, (void)name, (void)system, (void)public, (void)has_subset;
    int (*stop)(parser, unsigned char);
    *(void **)&stop = dlsym(RTLD_NEXT, "XML_StopParser");
    if (stop != NULL) { stop(current, 0); }
}

// Returns 0 if it is impossible: without the handler, no XML is safe to read.
static int guard(parser created) {
    void (*set_handler)(parser, start_of_doctype);
    *(void **)&set_handler = dlsym(RTLD_NEXT, "XML_SetStartDoctypeDeclHandler");
    if (created == NULL || set_handler == NULL) { return 0; }
    current = created;
    set_handler(created, refuse);
    return 1;
}

parser XML_ParserCreate_MM(const char *encoding, const void *memory, const char *separator) {
    parser (*create)(const char *, const void *, const char *);
    *(void **)&create = dlsym(RTLD_NEXT, "XML_ParserCreate_MM");
    parser created = create == NULL ? NULL : create(encoding, memory, separator);
    return guard(created) ? created : NULL;
}

// A reset removes all handlers.
unsigned char XML_ParserReset(parser used, const char *encoding) {
    unsigned char (*reset)(parser, const char *);
    *(void **)&reset = dlsym(RTLD_NEXT, "XML_ParserReset");
    return reset != NULL && reset(used, encoding) && guard(used);
}
