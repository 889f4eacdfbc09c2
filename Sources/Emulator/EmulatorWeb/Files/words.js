// The display texts for FCM's and the emulator's identifiers.

export const platforms = { android: 'Android', apple: 'iOS', web: 'Web' };

/** The reasons for a delay. */
const delays = {
  delayedDeviceOffline: 'the device is offline',
  delayedDeviceDoze: 'the device is in Doze',
  delayedMessageThrottled: 'too many messages at once',
  delayedUserStopped: 'the user profile is stopped',
  delayedInBackground: 'the app is in the background',
};

/** The reasons for a loss. */
const losses = {
  collapsed: 'replaced by a newer message',
  droppedTtlExpired: 'its TTL expired',
  droppedTooManyPendingMessages: 'too many messages were pending',
  droppedDeviceInactive: 'the device was inactive for a month',
  droppedAppForceStopped: 'the app was force-stopped',
  droppedUninstalled: 'the app was removed',
  droppedUnregistered: 'its registration was deleted',
  nothingForPlatform: 'it has no content for this platform',
};

const conditions = {
  online: 'goes online', offline: 'goes offline',
  foreground: 'app moves to the foreground', background: 'app moves to the background',
  dozing: 'enters Doze', awake: 'wakes up',
  force_stopped: 'app is force-stopped', started: 'app is restarted',
  installed: 'app is installed', uninstalled: 'app is removed',
  user_stopped: 'user profile is stopped', user_started: 'user profile is restarted',
  expired: 'registration expires',
  registered: 'app receives a registration', unregistered: 'app deletes its registration',
  deleted_messages: 'app is notified of deleted messages',
  send_message: 'app sends a message to its server',
  send_success: 'app learns that its message was accepted', send_failure: 'app learns that its message failed',
};

export const reason = word => delays[word] ?? losses[word] ?? word;

/** A message's name: its title, otherwise its body or the key of its data. */
export const called = message => message.title ?? message.body
  ?? (message.key_of_data === undefined ? 'a message without content' : `data ${message.key_of_data}`);

/** An event as the text before the message's name, the text after it, and the style. */
export function told(happening) {
  switch (happening.event) {
    case 'delivered':
      return happening.how === 'tray' ? ['shows ', '', 'good'] : ['passes ', ' to the app', 'good'];
    case 'opened': return ['opens ', '', 'good'];
    case 'pending': return ['keeps ', ` waiting: ${reason(happening.reason)}`, 'wait'];
    case 'nothingForPlatform': return ['receives no content of a message for other platforms'];
    case 'subscribe': return [`app subscribes to ${happening.topic}`];
    case 'unsubscribe': return [`app unsubscribes from ${happening.topic}`];
    default:
      return happening.event in losses
        ? ['does not receive ', `: ${reason(happening.event)}`, 'bad'] : [conditions[happening.event] ?? happening.event];
  }
}

/** The path without its common prefixes and its query. */
export const shortened = path => path.replace(/^\/(v1\/projects\/[^/]+|emulator\/v1)\//, '').replace(/\?.*$/, '');

/** The target of a request as its kind and its name. */
export function targeted(target) {
  for (const kind of ['topic', 'condition', 'token', 'fid']) {
    if (target?.[kind] !== undefined) return [kind, target[kind]];
  }
  return target?.registrations === undefined ? undefined : ['registrations', target.registrations.toLocaleString('en')];
}

/** The outcome of a message on a phone, and its style. */
export function outcome(message) {
  switch (message.outcome) {
    case 'pending': return [`Pending: ${reason(message.waits_for)}`, 'wait'];
    case 'delivered': return [message.opened_at ? 'Opened' : message.how === 'tray' ? 'Shown' : 'Passed to the app', 'good'];
    default: return [`Dropped: ${reason(message.outcome)}`, 'bad'];
  }
}

/** The causes for which a message to an app server fails. */
const causes = {
  TTL_EXCEEDED: 'its time to live passed',
  TOO_MANY_MESSAGES: '20 messages are already waiting',
  SIZE: 'it is too large',
  INVALID_PARAMETERS: 'its address, ID or time to live is not valid',
  DEVICE_RATE_EXCEEDED: 'the phone sent 1,000 messages within a minute',
  PROJECT_RATE_EXCEEDED: 'the project sent 1,500,000 messages within a minute',
  UNINSTALLED: 'the app was removed',
};

/** What happened to a message to an app server, and its style. */
export function replied(message) {
  switch (message.state) {
    case 'waiting': return ['Waits for a connection', 'wait'];
    case 'sent': return ['Sent, not acknowledged', 'wait'];
    case 'acknowledged': return ['Acknowledged', 'good'];
    default: return [`Failed: ${causes[message.error] ?? message.error}`, 'bad'];
  }
}

/** The reasons why an app cannot decrypt a message. */
const refusals = {
  malformed: 'it is not an envelope',
  unknown_key: 'the phone does not have the key',
  tampered: 'the envelope or its context was changed',
  unreadable: 'its content is not a JSON object',
};

export const undecrypted = reason => refusals[reason] ?? reason;

/** What to do about a refusal, by FCM's error code. */
const advice = {
  UNREGISTERED: 'No phone has this registration any more. Delete it from your list.',
  INVALID_ARGUMENT: 'Correct the request. A repeat gives the same answer.',
  SENDER_ID_MISMATCH: 'The registration belongs to another project. Compare the project in the path with that of the phone.',
  QUOTA_EXCEEDED: 'Wait for the time in Retry-After, or a minute, and send more slowly.',
  UNAVAILABLE: 'Repeat with exponential backoff, and obey Retry-After.',
  INTERNAL: 'Repeat with exponential backoff. The message may have been delivered.',
  THIRD_PARTY_AUTH_ERROR: 'Upload a valid APNs key or web push certificate. The registration is valid.',
  UNAUTHENTICATED: 'Send a valid OAuth 2 access token.',
};

export const advised = error => advice[error];
