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
