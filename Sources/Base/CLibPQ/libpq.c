#include "CLibPQ.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

// The functions that Herald calls.
#define FUNCTIONS(F)            \
    F(PQconninfoParse)          \
    F(PQconninfoFree)           \
    F(PQfreemem)                \
    F(PQconnectStartParams)     \
    F(PQconnectPoll)            \
    F(PQsetNoticeProcessor)     \
    F(PQsetErrorVerbosity)      \
    F(PQstatus)                 \
    F(PQerrorMessage)           \
    F(PQsocket)                 \
    F(PQfinish)                 \
    F(PQsendQueryParams)        \
    F(PQsetSingleRowMode)       \
    F(PQconsumeInput)           \
    F(PQisBusy)                 \
    F(PQgetResult)              \
    F(PQresultStatus)           \
    F(PQresultErrorField)       \
    F(PQntuples)                \
    F(PQnfields)                \
    F(PQfname)                  \
    F(PQgetvalue)               \
    F(PQgetlength)              \
    F(PQgetisnull)              \
    F(PQclear)                  \
    F(PQsetNoticeReceiver)      \
    F(PQsetnonblocking)         \
    F(PQflush)                  \
    F(PQenterPipelineMode)      \
    F(PQpipelineSync)           \
    F(PQserverVersion)          \
    F(PQftype)                  \
    F(PQcmdTuples)              \
    F(PQputCopyData)            \
    F(PQputCopyEnd)

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

const char *herald_pq_load(void) {
    void *handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) { return dlerror(); }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(handle, functions[i].name);
        if (function == NULL) { return dlerror(); }
        memcpy((char *)&library + functions[i].offset, &function, sizeof function);
    }
    return NULL;
}

PQconninfoOption *herald_pq_conninfo_parse(const char *text, char **error) {
    return library.PQconninfoParse(text, error);
}

void herald_pq_conninfo_free(PQconninfoOption *options) { library.PQconninfoFree(options); }

void herald_pq_freemem(void *memory) { library.PQfreemem(memory); }

static void discard(void *context, const char *message) {
    (void)context;
    (void)message;
}

PGconn *herald_pq_connect_start(const char *const *names, const char *const *values) {
    PGconn *connection = library.PQconnectStartParams(names, values, 0);
    if (connection != NULL) {
        library.PQsetNoticeProcessor(connection, discard, NULL);
        library.PQsetErrorVerbosity(connection, PQERRORS_TERSE);
    }
    return connection;
}

PostgresPollingStatusType herald_pq_connect_poll(PGconn *connection) {
    return library.PQconnectPoll(connection);
}

ConnStatusType herald_pq_status(const PGconn *connection) { return library.PQstatus(connection); }

char *herald_pq_error_message(const PGconn *connection) {
    return library.PQerrorMessage(connection);
}

int herald_pq_socket(const PGconn *connection) { return library.PQsocket(connection); }

void herald_pq_finish(PGconn *connection) { library.PQfinish(connection); }

int herald_pq_send_statement(PGconn *connection, const char *statement) {
    return library.PQsendQueryParams(connection, statement, 0, NULL, NULL, NULL, NULL, 0);
}

int herald_pq_send_binary(
    PGconn *connection,
    const char *statement,
    int count,
    const Oid *types,
    const char *const *values,
    const int *lengths
) {
    // One format for all parameters is not possible; 65,535 is the limit of the protocol.
    int formats[count > 0 ? count : 1];
    for (int i = 0; i < count; i++) { formats[i] = 1; }
    return library.PQsendQueryParams(
        connection, statement, count, types, values, lengths, formats, 1
    );
}

static void count_warning(void *context, const PGresult *result) {
    const char *severity = library.PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity != NULL && strcmp(severity, "WARNING") == 0) { ++*(int *)context; }
}

void herald_pq_count_warnings(PGconn *connection, int *count) {
    library.PQsetNoticeReceiver(connection, count_warning, count);
}

int herald_pq_set_nonblocking(PGconn *connection) {
    return library.PQsetnonblocking(connection, 1);
}

int herald_pq_flush(PGconn *connection) { return library.PQflush(connection); }

int herald_pq_enter_pipeline_mode(PGconn *connection) {
    return library.PQenterPipelineMode(connection);
}

int herald_pq_pipeline_sync(PGconn *connection) { return library.PQpipelineSync(connection); }

int herald_pq_server_version(const PGconn *connection) {
    return library.PQserverVersion(connection);
}

int herald_pq_put_copy_data(PGconn *connection, const char *bytes, int count) {
    return library.PQputCopyData(connection, bytes, count);
}

int herald_pq_put_copy_end(PGconn *connection, const char *error) {
    return library.PQputCopyEnd(connection, error);
}

Oid herald_pq_column_type(const PGresult *result, int column) {
    return library.PQftype(result, column);
}

char *herald_pq_changed_rows(PGresult *result) { return library.PQcmdTuples(result); }

int herald_pq_set_single_row_mode(PGconn *connection) {
    return library.PQsetSingleRowMode(connection);
}

int herald_pq_consume_input(PGconn *connection) { return library.PQconsumeInput(connection); }

int herald_pq_is_busy(PGconn *connection) { return library.PQisBusy(connection); }

PGresult *herald_pq_get_result(PGconn *connection) { return library.PQgetResult(connection); }

ExecStatusType herald_pq_result_status(const PGresult *result) {
    return library.PQresultStatus(result);
}

char *herald_pq_result_message(const PGresult *result) {
    return library.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

char *herald_pq_result_state(const PGresult *result) {
    return library.PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

int herald_pq_row_count(const PGresult *result) { return library.PQntuples(result); }

int herald_pq_column_count(const PGresult *result) { return library.PQnfields(result); }

char *herald_pq_column_name(const PGresult *result, int column) {
    return library.PQfname(result, column);
}

char *herald_pq_value(const PGresult *result, int row, int column) {
    return library.PQgetvalue(result, row, column);
}

int herald_pq_length(const PGresult *result, int row, int column) {
    return library.PQgetlength(result, row, column);
}

int herald_pq_is_null(const PGresult *result, int row, int column) {
    return library.PQgetisnull(result, row, column);
}

void herald_pq_clear(PGresult *result) { library.PQclear(result); }
