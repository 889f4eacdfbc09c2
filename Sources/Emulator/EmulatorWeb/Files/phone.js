// The card of a phone: its screen in its platform's style, its other messages, and its switches.

import { clock, counted, foreign, make } from './dom.js';
import { called, platforms, reason } from './words.js';

/** The number of notifications to draw. The others are counted. */
const drawn = 4;

/** The switches of a phone, each with its key, condition and name. */
export const switches = [
  { key: 'o', condition: 'online', name: 'Online' },
  { key: 'a', condition: 'foreground', name: 'Foreground' },
  { key: 'd', condition: 'dozing', name: 'Dozing' },
  { key: 's', condition: 'force_stopped', name: 'Force-stopped', isBad: true },
  { key: 'i', condition: 'installed', name: 'Installed' },
];

/** The children of a card. The card itself is kept, with its position and focus. */
export function contents(phone, isCurrent, fresh, page) {
  return [
    make('header', {},
      make('h2', { id: headingID(phone) },
        make('a', { href: page, 'data-focus': 'page', tabindex: place(isCurrent) }, foreign(phone.name))),
      make('span', { class: 'kind' }, platforms[phone.platform])),
    make('div', { class: 'screen' }, bar(phone), tray(phone, isCurrent, fresh, page)),
    others(phone, isCurrent, page),
    buttons(phone, isCurrent),
  ];
}

export const headingID = phone => `phone-${phone.place}`;

const place = isCurrent => (isCurrent ? 0 : -1);

/** The switches of a phone, as a group of buttons. */
export const buttons = (phone, isCurrent) => make('div', { class: 'switches', role: 'group', 'aria-label': 'Switches' },
  switches.filter(one => one.condition in phone).map(one => make('button', {
    type: 'button', 'data-condition': one.condition, 'data-focus': one.condition,
    'aria-pressed': String(phone[one.condition]), class: one.isBad ? 'bad' : null, tabindex: place(isCurrent),
  }, one.name)));

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

function tray(phone, isCurrent, fresh, page) {
  if (phone.tray.length === 0) return make('p', { class: 'silent' }, 'No notifications');
  const shown = phone.tray.slice(0, drawn);
  return [
    make('div', { class: 'tray' }, shown.map(note => card(phone, note, isCurrent, fresh))),
    phone.tray_count > 2 ? make('a', { class: 'more', href: page, 'data-focus': 'more', tabindex: place(isCurrent) },
      `All ${phone.tray_count.toLocaleString('en')} notifications`) : null,
  ];
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

function others(phone, isCurrent, page) {
  return make('ul', { class: 'others' },
    line(phone, isCurrent, page, 'handed', phone.handed_count, 'passed to the app'),
    line(phone, isCurrent, page, 'waiting', phone.pending_count, 'pending', phone.pending_reason),
    line(phone, isCurrent, page, 'lost', phone.dropped_count, 'dropped', phone.dropped_reason));
}

function line(phone, isCurrent, page, kind, count, text, why) {
  if (count === 0) return null;
  return make('li', { class: kind }, make('a', { href: page, tabindex: place(isCurrent), 'data-focus': kind },
    `${count.toLocaleString('en')} ${text}`, why ? `: ${reason(why)}` : ''));
}
