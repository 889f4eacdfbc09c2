// Requests to the emulator's control API, at the page's own address.

import { project } from './address.js';

const api = '/emulator/v1';

/** Creates a target with the parameters that have a value, and with the selected project. */
function target(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, project: project() })) {
    if (value !== undefined && value !== null && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return path + (text ? '?' + text : '');
}

/** Makes a request. Returns the status, the JSON and the time in milliseconds of its answer. */
async function exchange(method, address, body, headers = {}) {
  const began = performance.now();
  const answer = await fetch(address, {
    method, credentials: 'same-origin', redirect: 'error', cache: 'no-store',
    headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    json = text;
  }
  return { status: answer.status, isOK: answer.ok, json, milliseconds: performance.now() - began };
}

/** Returns the text of an error in Google's format. */
export function told(answer) {
  const field = answer.json?.error?.details?.flatMap(detail => detail.fieldViolations ?? [])[0];
  const text = field?.description ?? answer.json?.error?.message ?? `The emulator responds with status ${answer.status}.`;
  return field?.field ? `${field.field}: ${text}` : text;
}

async function ask(method, path, { query, body } = {}) {
  const answer = await exchange(method, api + target(path, query), body);
  if (answer.isOK) return answer.json;
  throw Object.assign(new Error(told(answer)), { status: answer.status });
}

const device = name => `/devices/${encodeURIComponent(name)}`;

/** Returns the news after a cursor. Waits up to 20 seconds for a change. */
export const changes = after => ask('GET', '/changes', { query: { after, wait: '20s' } });
export const phones = query => ask('GET', '/phones', { query });
export const projects = () => ask('GET', '/projects', { query: { limit: 1000 } });
export const dropProject = id => ask('DELETE', `/projects/${encodeURIComponent(id)}`);

export const addDevices = devices => ask('POST', '/devices', { body: { devices } });
export const change = (name, conditions) => ask('PATCH', device(name), { body: conditions });
export const remove = name => ask('DELETE', device(name));
export const register = name => ask('POST', `${device(name)}/registration`, { body: {} });
export const unregister = name => ask('DELETE', `${device(name)}/registration`);
export const subscribe = (name, topic) => ask('POST', `${device(name)}/subscriptions`, { body: { topic } });
export const unsubscribe = (name, topic) => ask('DELETE', `${device(name)}/subscriptions/${encodeURIComponent(topic)}`);
/** Taps on a notification. Returns the data that the app receives. */
export const tap = (name, messageID) => ask('POST', `${device(name)}/taps`, { body: { message_id: messageID } });

/** Sends a message of the app to its app server. */
export const sendUpstream = (name, body) => ask('POST', `${device(name)}/upstream`, { body });
export const upstream = (name, query) => ask('GET', `${device(name)}/upstream`, { query });

export const messages = query => ask('GET', '/search/messages', { query });
/** Searches all requests, including the page's own. */
export const requests = query => ask('GET', '/search/requests', { query: { ...query, control: true } });
export const request = number => ask('GET', `/requests/${number}`);

export const forward = span => ask('PUT', '/clock', { body: { advance: span } });
export const setClock = clock => ask('PUT', '/clock', { body: clock });
export const faults = () => ask('GET', '/faults');
export const setFaults = script => ask('PUT', '/faults', { body: script });
export const clearFaults = () => ask('DELETE', '/faults');
export const options = () => ask('GET', '/delivery-options');
export const setOptions = options => ask('PUT', '/delivery-options', { body: options });
export const reset = () => ask('POST', '/reset');

/** Sends a message like any FCM client. Returns the answer, also if it is a refusal. */
export const send = (projectID, body, token) => exchange(
  'POST', `/v1/projects/${encodeURIComponent(projectID)}/messages:send`, body, { Authorization: `Bearer ${token}` });
