// A phone: its screen in its platform's style, its waiting and lost messages, and its switches.

import { clock, counted, foreign, make } from './dom.js';
import { called, platforms, reason } from './words.js';

/** The number of notifications to draw. The others are counted. */
const drawn = 5;

/** The switches of a phone, each with its key, condition and name. */
export const switches = [
  { key: 'o', condition: 'online', name: 'Online' },
  { key: 'a', condition: 'foreground', name: 'Foreground' },
  { key: 'd', condition: 'dozing', name: 'Dozing' },
  { key: 's', condition: 'force_stopped', name: 'Force-stopped', isBad: true },
  { key: 'i', condition: 'installed', name: 'Installed' },
];

/** The children of a phone's element. The element itself is kept, with its position and focus. */
export function contents(phone, isCurrent, fresh) {
  return [
    make('header', {},
      make('h3', { id: headingID(phone) }, foreign(phone.name)),
      make('span', { class: 'kind' }, platforms[phone.platform])),
    make('div', { class: 'screen' }, bar(phone), tray(phone, isCurrent, fresh)),
    facts(phone, isCurrent),
    make('div', { class: 'switches', role: 'group', 'aria-label': 'Switches' },
      switches.filter(one => one.condition in phone).map(one => make('button', {
        type: 'button', 'data-condition': one.condition, 'data-focus': one.condition,
        'aria-pressed': String(phone[one.condition]), class: one.isBad ? 'bad' : null, tabindex: place(isCurrent),
      }, one.name))),
  ];
}

export const headingID = phone => `phone-${phone.place}`;

const place = isCurrent => (isCurrent ? 0 : -1);

function bar(phone) {
  const where = [];
  if (!phone.installed) where.push('app removed');
  else if (phone.registered === false) where.push('no registration');
  else if (phone.force_stopped) where.push('app stopped');
  else if (phone.foreground) where.push('app in foreground');
  if (phone.dozing) where.push('dozing');
  where.push(phone.online ? 'online' : 'offline');
  return make('p', { class: 'bar' },
    counted(phone.topics, 'topic'), make('span', { class: 'where' }, where.join(' · ')));
}

function tray(phone, isCurrent, fresh) {
  if (phone.tray.length === 0) return make('p', { class: 'silent' }, 'No notifications');
  const more = phone.tray_count - Math.min(phone.tray.length, drawn);
  return make('div', { class: 'tray' },
    phone.tray.slice(0, drawn).map(note => card(phone, note, isCurrent, fresh)),
    more > 0 ? make('p', { class: 'more' }, `and ${more.toLocaleString('en')} more`) : null);
}

/** A folded notification. Shows the addresses of images and does not load them. */
function card(phone, note, isCurrent, fresh) {
  const app = phone.package ?? 'your app';
  return make('button', {
    type: 'button', class: note.number > fresh ? 'note fresh' : 'note', tabindex: place(isCurrent),
    'data-note': note.number, 'data-focus': `note ${note.number}`, 'aria-label': `Tap on ${called(note)}`,
    'aria-description': note.title ? note.body : null,
  },
  make('span', { class: 'app' },
    make('span', { class: 'icon', 'aria-hidden': 'true' }, app.split('.').pop().slice(0, 1).toUpperCase()),
    foreign(app), clock(note.at)),
  note.title ? make('span', { class: 'what', dir: 'auto' }, note.title) : null,
  note.body ? make('span', { class: 'body', dir: 'auto' }, note.body) : null,
  note.image ? make('span', { class: 'image' }, 'Image: ', foreign(note.image)) : null);
}

function facts(phone, isCurrent) {
  return make('div', { class: 'facts' },
    list(phone, isCurrent, 'handed', phone.handed, phone.handed_count, 'passed to the app', 'passed to the app'),
    list(phone, isCurrent, 'waiting', phone.pending, phone.pending_count, 'pending', 'pending'),
    list(phone, isCurrent, 'lost', phone.dropped, phone.dropped_count, 'dropped', 'dropped'));
}

function list(phone, isCurrent, kind, messages, count, one, many) {
  if (count === 0) return null;
  const why = [...new Set(messages.map(message => message.reason).filter(Boolean).map(reason))];
  const rest = count - messages.length;
  return make('details', { class: kind, 'data-fold': kind },
    make('summary', { tabindex: place(isCurrent), 'data-focus': kind },
      `${count.toLocaleString('en')} ${count === 1 ? one : many}`, why.length === 1 ? `: ${why[0]}` : ''),
    make('ul', {},
      messages.map(message => make('li', {}, foreign(called(message)), why.length > 1 ? `: ${reason(message.reason)}` : '')),
      rest > 0 ? make('li', { class: 'quiet' }, `and ${rest.toLocaleString('en')} earlier`) : null));
}

/** The searchable text of a phone. */
export const searched = phone => [
  phone.name, phone.package, ...phone.topic_names,
  ...[...phone.tray, ...phone.pending].flatMap(message => [message.title, message.body]),
].filter(Boolean).join('\n').toLowerCase();

/** The states of the filter, each with its test. */
export const states = {
  tray: phone => phone.tray_count > 0,
  waiting: phone => phone.pending_count > 0,
  lost: phone => phone.dropped_count > 0,
  offline: phone => !phone.online,
  dozing: phone => phone.dozing,
  gone: phone => !phone.installed || phone.force_stopped,
};
