// The display texts for FCM's and the emulator's identifiers.

export const platforms = { android: 'Android', apple: 'iOS', web: 'Web' };

/** The reasons for a delay. */
const delays = {
  delayedDeviceOffline: 'the device is offline',
  delayedDeviceDoze: 'the device dozes',
  delayedMessageThrottled: 'too many came at once',
  delayedUserStopped: 'the profile of its user is stopped',
  delayedInBackground: 'the app is in the background',
};

/** The reasons for a loss. */
const losses = {
  collapsed: 'a newer one took its place',
  droppedTtlExpired: 'its time to live was over',
  droppedTooManyPendingMessages: 'too many were waiting',
  droppedDeviceInactive: 'the device was silent for a month',
  droppedAppForceStopped: 'the app was force-stopped',
  droppedUninstalled: 'the app was removed',
  droppedUnregistered: 'the registration it came for is gone',
};

const conditions = {
  online: 'comes online', offline: 'goes offline',
  foreground: 'app comes to the front', background: 'app goes to the background',
  dozing: 'begins to doze', awake: 'wakes up',
  force_stopped: 'app is force-stopped', started: 'app is started again',
  installed: 'app is installed', uninstalled: 'app is removed',
  user_stopped: 'profile of its user is stopped', user_started: 'profile of its user is started again',
  expired: 'registration has expired',
  registered: 'app has a registration', unregistered: 'app gives its registration up',
  deleted_messages: 'app is told that messages were deleted',
};

export const reason = word => delays[word] ?? losses[word] ?? word;

/** A message's name: its title, otherwise its body or the key of its data. */
export const called = message => message.title ?? message.body
  ?? (message.key_of_data === undefined ? 'a message without content' : `data ${message.key_of_data}`);

/** An event as the text before the message's name, the text after it, and the style. */
export function told(happening) {
  switch (happening.event) {
    case 'delivered':
      return happening.how === 'tray' ? ['shows ', '', 'good'] : ['hands ', ' to the app', 'good'];
    case 'opened': return ['is tapped on ', '', 'good'];
    case 'pending': return ['keeps ', ` waiting: ${reason(happening.reason)}`, 'wait'];
    case 'nothingForPlatform': return ['gets nothing of a message for other platforms'];
    case 'subscribe': return [`app subscribes to ${happening.topic}`];
    case 'unsubscribe': return [`app unsubscribes from ${happening.topic}`];
    default:
      return happening.event in losses
        ? ['does not get ', `: ${reason(happening.event)}`, 'bad'] : [conditions[happening.event] ?? happening.event];
  }
}
