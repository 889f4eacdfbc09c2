// A client for the control API of a running emulator. It has no dependencies.

/** The status of a wait or an assertion with a wrong number of matches. */
const UNMET = 412;
const NOT_FOUND = 404;

/** The emulator refused a request. */
export class EmulatorError extends Error {
  constructor(message, status, answer) {
    super(message);
    this.name = "EmulatorError";
    this.status = status;
    this.answer = answer;
  }
}

/** Another number of messages or requests matched than the test expects. */
export class ExpectationError extends EmulatorError {}

/** An emulator at a URL. `token` is needed if it listens beyond loopback. */
export class Emulator {
  constructor(url = process.env.HERALD_EMULATOR_URL ?? "http://127.0.0.1:9099",
              token = process.env.HERALD_EMULATOR_TOKEN) {
    this.url = url.replace(/\/+$/, "");
    this.token = token;
  }

  /** Returns a project with separate devices, messages, faults, quota and clock. */
  project(id) {
    return new Project(this, id);
  }

  /** Sends a request and returns the JSON of its answer. */
  async call(method, path, { body, query = {}, bearer } = {}) {
    const address = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const headers = {};
    const credential = bearer ?? this.token;
    if (credential) headers.Authorization = `Bearer ${credential}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const response = await fetch(address, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    const reason = answer?.error?.message ?? answer?.error ?? response.statusText;
    const Kind = response.status === UNMET ? ExpectationError : EmulatorError;
    throw new Kind(reason, response.status, answer);
  }
}

/** A project with separate state in the emulator. */
export class Project {
  constructor(emulator, id) {
    this.emulator = emulator;
    this.id = id;
  }

  /** A bearer token that belongs to the project, for APIs without a project in their path. */
  get bearer() {
    return `project:${this.id}`;
  }

  /** Calls the control API, for example `control("GET", "/devices")`. */
  control(method, path, { body, query = {} } = {}) {
    return this.emulator.call(method, `/emulator/v1${path}`, { body, query: { ...query, project: this.id } });
  }

  /**
   * Adds a device and returns its registration; the platform is `android`, `apple` or `web`.
   *
   * A name can be used once.
   */
  async device(name, { platform = "android", registration = `${name}-${crypto.randomUUID()}`, ...more } = {}) {
    if (await this.#has(name)) {
      throw new Error(`The project already has a device "${name}". Choose another name, or use change().`);
    }
    await this.control("POST", "/devices", { body: [{ name, platform, registration, ...more }] });
    return registration;
  }

  async #has(device) {
    try {
      await this.control("GET", path(device));
    } catch (error) {
      if (error.status !== NOT_FOUND) throw error;
      return false;
    }
    return true;
  }

  /** Changes conditions of a device: `online`, `foreground`, `installed`, `dozing` and others. */
  change(name, conditions) {
    return this.control("PATCH", path(name), { body: conditions });
  }

  /** Sends a message of the v1 API and returns its name. */
  async send(message) {
    const path = `/v1/projects/${encodeURIComponent(this.id)}/messages:send`;
    return (await this.emulator.call("POST", path, { body: { message }, bearer: this.bearer })).name;
  }

  /** Returns the matching messages on all devices, newest first. */
  async messages(conditions = {}) {
    return (await this.control("GET", "/search/messages", { query: conditions })).messages;
  }

  /** Returns the matching requests of senders, newest first; with `control: true`, also those of this module. */
  async requests(conditions = {}) {
    return (await this.control("GET", "/search/requests", { query: conditions })).requests;
  }

  /** Waits for messages and returns them, newest first. */
  async wait({ count = 1, timeoutSeconds = 10, ...conditions } = {}) {
    const query = { ...conditions, count, timeout: `${timeoutSeconds}s` };
    return (await this.control("GET", "/wait", { query })).messages;
  }

  /** Waits for requests of senders and returns them, newest first. */
  async waitForRequests({ count = 1, timeoutSeconds = 10, ...conditions } = {}) {
    const query = { ...conditions, for: "requests", count, timeout: `${timeoutSeconds}s` };
    return (await this.control("GET", "/wait", { query })).requests;
  }

  /** Requires that exactly `count` messages match. */
  async assertMessages(count, conditions = {}) {
    await this.control("GET", "/assert", { query: { ...conditions, count } });
  }

  /** Requires that exactly `count` requests of senders match. */
  async assertRequests(count, conditions = {}) {
    await this.control("GET", "/assert", { query: { ...conditions, for: "requests", count } });
  }

  /** Replaces the fault rules. */
  faults(...rules) {
    return this.control("PUT", "/faults", { body: { rules } });
  }

  /** Sets the project's clock, for example `{ mode: "frozen", at: "2040-01-01T00:00:00Z" }`. */
  clock(setting) {
    return this.control("PUT", "/clock", { body: setting });
  }

  /** Drops the project's state in one call. */
  drop() {
    return this.emulator.call("DELETE", `/emulator/v1/projects/${encodeURIComponent(this.id)}`);
  }
}

function path(device) {
  return `/devices/${encodeURIComponent(device)}`;
}
