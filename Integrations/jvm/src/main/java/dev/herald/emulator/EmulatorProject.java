package dev.herald.emulator;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A project with separate devices, messages, faults, quota and clock in the emulator.
 *
 * <p>Bodies and answers are JSON texts, so that tests can use any JSON library.
 */
public final class EmulatorProject implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int NOT_FOUND = 404;

    // The client would offer HTTP/2 on each new connection, which the emulator does not accept in this way.
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final String token;
    private final String id;

    /**
     * @param url the address of the emulator, without a trailing slash
     * @param token the token of the control API, or null if the emulator listens on loopback only
     * @param id the project ID
     */
    public EmulatorProject(String url, String token, String id) {
        this.url = url;
        this.token = token;
        this.id = id;
    }

    public String id() {
        return id;
    }

    /** A bearer token that belongs to the project, for APIs without a project in their path. */
    public String bearer() {
        return "project:" + id;
    }

    /**
     * Adds devices: a JSON array of objects with {@code name}, {@code platform} and {@code registration}.
     *
     * @throws IllegalArgumentException if a name is used twice; then no device is added
     */
    public void addDevices(String devices) {
        Set<String> names = new HashSet<>();
        for (String name : JsonText.strings(devices, "name")) {
            if (!names.add(name)) {
                throw new IllegalArgumentException("Two of the devices are named \"" + name + "\". Choose another name.");
            }
            if (has(name)) {
                throw new IllegalArgumentException(
                        "The project already has a device \""
                                + name
                                + "\". Choose another name, or use changeDevice().");
            }
        }
        control("POST", "/devices", Map.of(), devices);
    }

    private boolean has(String device) {
        try {
            control("GET", path(device), Map.of(), null);
        } catch (EmulatorException error) {
            if (error.status() != NOT_FOUND) {
                throw error;
            }
            return false;
        }
        return true;
    }

    /** Changes conditions of a device: a JSON object such as {@code {"online":false}}. */
    public void changeDevice(String name, String conditions) {
        control("PATCH", path(name), Map.of(), conditions);
    }

    private static String path(String device) {
        return "/devices/" + encoded(device);
    }

    /** Waits for messages and returns the answer with the member {@code messages}, newest first. */
    public String await(int count, Duration timeout, Map<String, String> conditions) {
        Map<String, String> query = new LinkedHashMap<>(conditions);
        query.put("count", Integer.toString(count));
        query.put("timeout", timeout.toSeconds() + "s");
        return control("GET", "/wait", query, null);
    }

    /** Waits for requests of senders and returns the answer with the member {@code requests}. */
    public String awaitRequests(int count, Duration timeout, Map<String, String> conditions) {
        return await(count, timeout, ofRequests(conditions));
    }

    /** Returns the matching messages on all devices, newest first. */
    public String messages(Map<String, String> conditions) {
        return control("GET", "/search/messages", conditions, null);
    }

    /** Requires that exactly {@code count} messages match. */
    public void assertMessages(int count, Map<String, String> conditions) {
        Map<String, String> query = new LinkedHashMap<>(conditions);
        query.put("count", Integer.toString(count));
        control("GET", "/assert", query, null);
    }

    /** Returns the matching requests of senders, newest first. */
    public String requests(Map<String, String> conditions) {
        return control("GET", "/search/requests", conditions, null);
    }

    /** Requires that exactly {@code count} requests of senders match. */
    public void assertRequests(int count, Map<String, String> conditions) {
        assertMessages(count, ofRequests(conditions));
    }

    private static Map<String, String> ofRequests(Map<String, String> conditions) {
        Map<String, String> query = new LinkedHashMap<>(conditions);
        query.put("for", "requests");
        return query;
    }

    /** Replaces the fault script. */
    public void setFaults(String script) {
        control("PUT", "/faults", Map.of(), script);
    }

    /** Drops the project's state in one call. */
    @Override
    public void close() {
        call("DELETE", "/emulator/v1/projects/" + encoded(id), null);
    }

    /** Calls a route of the control API and returns its answer. */
    public String control(String method, String path, Map<String, String> query, String body) {
        Map<String, String> all = new LinkedHashMap<>(query);
        all.put("project", id);
        String text =
                all.entrySet().stream()
                        .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
                        .collect(Collectors.joining("&"));
        return call(method, "/emulator/v1" + path + "?" + text, body);
    }

    private String call(String method, String target, String body) {
        HttpRequest.BodyPublisher content =
                body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + target)).timeout(LIMIT).method(method, content);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        try {
            HttpResponse<String> answer =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == ExpectationError.STATUS) {
                throw new ExpectationError(answer.body());
            }
            if (answer.statusCode() != 200) {
                throw new EmulatorException(answer.statusCode(), answer.body());
            }
            return answer.body();
        } catch (IOException error) {
            throw new EmulatorException("The emulator at " + url + " cannot be reached", error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new EmulatorException("The wait for the emulator was interrupted", error);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
