import dev.herald.emulator.EmulatorException;
import dev.herald.emulator.EmulatorProject;
import dev.herald.emulator.ExpectationError;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Uses the project "tide" of an emulator: EmulatorScenario URL. Prints a name and a result per line, separated by a tab. */
final class EmulatorScenario {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String PIXEL =
            "{\"name\":\"pixel\",\"platform\":\"android\",\"registration\":\"r1\",\"topics\":[\"tides\"]}";
    private static final String TABLET = "{\"name\":\"tablet\",\"platform\":\"android\",\"registration\":\"r2\"}";
    private static final String MESSAGE =
            "{\"message\":{\"topic\":\"tides\",\"notification\":{\"title\":\"High \\\"water\\\"\",\"body\":\"At 7\"}}}";

    private EmulatorScenario() {}

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        try (EmulatorProject project = new EmulatorProject(url, null, "tide")) {
            project.addDevices("[" + PIXEL + "]");
            print("repeated", refusal(() -> project.addDevices("[" + TABLET + "," + PIXEL + "]")));
            print("twice", refusal(() -> project.addDevices("[" + TABLET + "," + TABLET + "]")));
            project.changeDevice("pixel", "{\"dozing\":true}");
            print("devices", project.control("GET", "/devices", Map.of(), null));
            print("missing", refusal(() -> project.changeDevice("nosuch", "{\"dozing\":true}")));

            project.assertRequests(0, Map.of());
            print("sent", send(url, project));
            print("awaited", project.await(1, SECOND, Map.of("device", "pixel", "topic", "tides")));
            print("messages", project.messages(Map.of("title", "High \"water\"")));
            print("requests", project.awaitRequests(1, SECOND, Map.of("topic", "tides")));
            project.assertMessages(1, Map.of("device", "pixel"));
            project.assertRequests(1, Map.of());
            print("unmet", refusal(() -> project.assertMessages(2, Map.of("title", "High \"water\""))));
            print("late", refusal(() -> project.await(1, SECOND, Map.of("title", "Low water"))));
        }
        try (EmulatorProject project = new EmulatorProject(url, null, "tide")) {
            print("dropped", project.control("GET", "/devices", Map.of(), null));
        }
    }

    private static String send(String url, EmulatorProject project) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "/v1/projects/" + project.id() + "/messages:send"))
                        .header("Authorization", "Bearer " + project.bearer())
                        .POST(HttpRequest.BodyPublishers.ofString(MESSAGE))
                        .build();
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** Returns the kind and the text of the error that the call throws. */
    private static String refusal(Runnable call) {
        try {
            call.run();
        } catch (IllegalArgumentException | EmulatorException | ExpectationError error) {
            return error.getClass().getSimpleName() + ": " + error.getMessage();
        }
        return "no error";
    }

    private static void print(String name, String result) {
        System.out.println(name + "\t" + result);
    }
}
