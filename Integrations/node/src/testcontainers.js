// The emulator as a module of Testcontainers for Node.

import { randomBytes } from "node:crypto";
import { AbstractStartedContainer, GenericContainer, Wait } from "testcontainers";

import { Emulator } from "./client.js";

const PORT = 9099;

/** Runs the emulator in a container, with a random token for its control API. */
export class HeraldEmulatorContainer extends GenericContainer {
  constructor(image = "herald-emulator:latest") {
    super(image);
    this.controlToken = randomBytes(16).toString("hex");
    this.withExposedPorts(PORT)
      .withEnvironment({ HERALD_EMULATOR_TOKEN: this.controlToken })
      .withWaitStrategy(Wait.forHttp("/emulator/v1/health", PORT));
  }

  async start() {
    return new StartedHeraldEmulatorContainer(await super.start(), this.controlToken);
  }
}

/** A running container, and a client for it. */
export class StartedHeraldEmulatorContainer extends AbstractStartedContainer {
  constructor(started, token) {
    super(started);
    this.token = token;
  }

  get url() {
    return `http://${this.getHost()}:${this.getMappedPort(PORT)}`;
  }

  get emulator() {
    return new Emulator(this.url, this.token);
  }
}
