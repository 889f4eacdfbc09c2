// Requests to the emulator's control API, at the page's own address.

const api = '/emulator/v1';

async function ask(method, path, body) {
  const answer = await fetch(api + path, {
    method, credentials: 'omit', redirect: 'error', cache: 'no-store',
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const json = await answer.json();
  if (answer.ok) return json;
  const field = json.error?.details?.[0]?.fieldViolations?.[0];
  throw new Error(field?.description ?? json.error?.message ?? `The emulator responds with status ${answer.status}.`);
}

const device = name => `/devices/${encodeURIComponent(name)}`;

/** Returns the changes after a cursor. Waits up to 20 seconds for a change. */
export const changes = cursor => ask('GET', `/changes?wait=20s&after=${encodeURIComponent(cursor)}`);

export const change = (name, conditions) => ask('PATCH', device(name), conditions);

/** Taps on a notification. Returns the data that the app receives. */
export const tap = (name, messageID) => ask('POST', `${device(name)}/taps`, { message_id: messageID });

export const forward = span => ask('PUT', '/clock', { advance: span });
