// What FCM's words and the emulator's mean to a reader.

export const platforms = { android: 'Android', apple: 'iOS', web: 'Web' };

/** Why a message is not there yet. */
const delays = {
  delayedDeviceOffline: 'the device is offline',
  delayedDeviceDoze: 'the device dozes',
  delayedMessageThrottled: 'too many came at once',
  delayedUserStopped: 'the profile of its user is stopped',
  delayedInBackground: 'the app is in the background',
};

/** Why a message never will be. */
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

/** How a message is called: by its title, else by what it has. */
export const called = message => message.title ?? message.body
  ?? (message.key_of_data === undefined ? 'a message without content' : `data ${message.key_of_data}`);

/** What happened, as the words before a message's name, the words behind it, and their kind. */
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
