#ifndef HERALD_CLIBPQ_H
#define HERALD_CLIBPQ_H

#include <postgresql/libpq-fe.h>

// libpq, loaded at the first use (decision 56). The functions without a description call the
// function of libpq with the same name. All of them require `herald_pq_load`.

// Loads libpq. Returns NULL, or why that failed. Call it once.
const char *herald_pq_load(void);

PQconninfoOption *herald_pq_conninfo_parse(const char *text, char **error);
void herald_pq_conninfo_free(PQconninfoOption *options);
void herald_pq_freemem(void *memory);
// Discards the server's notices, which libpq would print, and the details of its errors, which may
// contain values of rows.
PGconn *herald_pq_connect_start(const char *const *names, const char *const *values);
PostgresPollingStatusType herald_pq_connect_poll(PGconn *connection);
ConnStatusType herald_pq_status(const PGconn *connection);
char *herald_pq_error_message(const PGconn *connection);
int herald_pq_socket(const PGconn *connection);
void herald_pq_finish(PGconn *connection);
// Sends one statement without parameters in the extended protocol, in which a second statement is
// an error.
int herald_pq_send_statement(PGconn *connection, const char *statement);
// Sends one statement in the extended protocol, with parameters and results in the binary format.
int herald_pq_send_binary(
    PGconn *connection,
    const char *statement,
    int count,
    const Oid *types,
    const char *const *values,
    const int *lengths
);
// Adds 1 to `count` with each warning of the server, from now on.
void herald_pq_count_warnings(PGconn *connection, int *count);
int herald_pq_set_nonblocking(PGconn *connection);
int herald_pq_flush(PGconn *connection);
int herald_pq_enter_pipeline_mode(PGconn *connection);
int herald_pq_pipeline_sync(PGconn *connection);
int herald_pq_server_version(const PGconn *connection);
int herald_pq_put_copy_data(PGconn *connection, const char *bytes, int count);
int herald_pq_put_copy_end(PGconn *connection, const char *error);
Oid herald_pq_column_type(const PGresult *result, int column);
// The number of rows that a statement changed, as text; empty for others.
char *herald_pq_changed_rows(PGresult *result);
int herald_pq_set_single_row_mode(PGconn *connection);
int herald_pq_consume_input(PGconn *connection);
int herald_pq_is_busy(PGconn *connection);
PGresult *herald_pq_get_result(PGconn *connection);
ExecStatusType herald_pq_result_status(const PGresult *result);
// The message of an error; NULL if there is none.
char *herald_pq_result_message(const PGresult *result);
// The SQLSTATE of an error; NULL if there is none.
char *herald_pq_result_state(const PGresult *result);
int herald_pq_row_count(const PGresult *result);
int herald_pq_column_count(const PGresult *result);
char *herald_pq_column_name(const PGresult *result, int column);
char *herald_pq_value(const PGresult *result, int row, int column);
int herald_pq_length(const PGresult *result, int row, int column);
int herald_pq_is_null(const PGresult *result, int row, int column);
void herald_pq_clear(PGresult *result);

#endif
