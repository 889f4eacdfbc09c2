/* The peer: parses the files that standard input names, one per line, into libyaml events. It uses
   one thread and keeps nothing. Prints the numbers of files, bytes and events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    if (fread(bytes, 1, *length, file) != *length) { perror(path); exit(1); }
    fclose(file);
    return bytes;
}

static size_t count_events(const char *path, const char *bytes, size_t length) {
    yaml_parser_t parser;
    yaml_event_t event;
    size_t events = 0;
    int is_open = 1;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, length);
    while (is_open) {
        if (!yaml_parser_parse(&parser, &event)) {
            fprintf(stderr, "%s: %s\n", path, parser.problem);
            exit(1);
        }
        events++;
        is_open = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return events;
}

int main(void) {
    char path[4096];
    size_t files = 0, total = 0, events = 0;
    while (fgets(path, sizeof path, stdin)) {
        size_t length;
        path[strcspn(path, "\n")] = 0;
        char *bytes = read_file(path, &length);
        events += count_events(path, bytes, length);
        free(bytes);
        files++;
        total += length;
    }
    printf("%zu files, %zu bytes, %zu events\n", files, total, events);
    return 0;
}
