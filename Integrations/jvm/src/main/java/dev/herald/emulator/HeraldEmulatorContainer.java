package dev.herald.emulator;

import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** Runs the emulator in a container, with a random token for its control API. */
public final class HeraldEmulatorContainer extends GenericContainer<HeraldEmulatorContainer> {
    private static final int PORT = 9099;

    private final String controlToken = UUID.randomUUID().toString();

    public HeraldEmulatorContainer() {
        this(DockerImageName.parse("herald-emulator:latest"));
    }

    public HeraldEmulatorContainer(DockerImageName image) {
        super(image);
        withExposedPorts(PORT);
        withEnv("HERALD_EMULATOR_TOKEN", controlToken);
        waitingFor(Wait.forHttp("/emulator/v1/health").forPort(PORT));
    }

    public String url() {
        return "http://" + getHost() + ":" + getMappedPort(PORT);
    }

    /** Returns a project with separate state; closing it drops the state. */
    public EmulatorProject project(String id) {
        return new EmulatorProject(url(), controlToken, id);
    }
}
