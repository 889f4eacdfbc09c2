// The view of one phone: its screen, its properties, and every message that it received or lost.

import { link } from './address.js';
import * as control from './control.js';
import { confirmed, showOpened } from './dialogs.js';
import { counted, facts, field, find, foreign, make, moment } from './dom.js';
import { Display } from './feed.js';
import { buttons, contents, switches } from './phone.js';
import * as replies from './replies.js';
import { outcome, platforms, undecrypted } from './words.js';

const atOnce = 50;
/** The displayed phone, its name, the number of displayed messages, and the error reporter. */
const shown = { name: undefined, phone: undefined, limit: atOnce, attempt: undefined };
const display = new Display(take);

/** Shows a phone. `attempt` performs an action and displays its error. */
export function show(name, attempt) {
  Object.assign(shown, { name, phone: undefined, limit: atOnce, attempt });
  find('phone').replaceChildren(
    make('div', { class: 'head' },
      make('h1', { id: 'phone-heading', tabindex: -1 }, foreign(name)),
      make('p', { class: 'quiet', id: 'phone-summary' }),
      make('div', { class: 'actions' },
        make('a', { class: 'button', href: link('send', undefined, { to: name }) }, 'Send a message'),
        Object.assign(button('Reply', answer), { id: 'phone-reply', hidden: true }),
        button('Remove', remove))),
    make('div', { class: 'sides' },
      make('div', { class: 'side' },
        make('div', { id: 'phone-card', role: 'group', 'aria-label': 'Screen', class: 'phone' }),
        make('div', { id: 'phone-topics', class: 'card' }),
        make('div', { id: 'phone-facts', class: 'card' })),
      make('div', { class: 'side' },
        make('section', { class: 'card', 'aria-labelledby': 'phone-messages-heading' },
          make('h2', { id: 'phone-messages-heading' }, 'Messages'),
          make('ul', { id: 'phone-messages', class: 'messages' }),
          make('p', { class: 'after', id: 'phone-more' })),
        replies.section())));
  display.show({ device: name, limit: 1 });
}

export const look = () => display.look();

function button(text, action, style = '') {
  const one = make('button', { type: 'button', class: style }, text);
  one.addEventListener('click', action);
  return one;
}

function take(answer) {
  const phone = answer.devices[0];
  if (!phone) {
    if (answer.matches > 0) return;
    shown.phone = undefined;
    find('phone-summary').textContent = 'There is no phone with this name.';
    for (const id of ['phone-card', 'phone-topics', 'phone-facts', 'phone-messages']) find(id).replaceChildren();
    return;
  }
  shown.phone = phone;
  find('phone-summary').textContent =
    `${platforms[phone.platform]}, ${counted(phone.tray_count, 'notification')}, ${phone.pending_count.toLocaleString('en')} pending`;
  card(phone);
  topics(phone);
  properties(phone);
  find('phone-reply').hidden = !replies.canReply(phone);
  find('replies-section').hidden = phone.platform === 'web';
  messages();
}

/** Replaces the children of an element. Keeps the focus. */
function redraw(element, children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  element.replaceChildren(...children.filter(Boolean));
  if (focused) [...element.querySelectorAll('[data-focus]')].find(one => one.dataset.focus === focused)?.focus({ preventScroll: true });
}

function card(phone) {
  const element = find('phone-card');
  element.className = `phone ${phone.platform}${phone.online && phone.installed ? '' : ' unreached'}`;
  const parts = contents(phone, true, Infinity, link('phones', phone.name));
  redraw(element, [parts[1], buttons(phone, true)]);
}

function topics(phone) {
  const names = phone.topic_names.map(topic => {
    const one = make('button', { type: 'button', 'aria-label': `Unsubscribe from ${topic}`, 'data-focus': `topic ${topic}` }, '×');
    one.addEventListener('click', () => shown.attempt(() => control.unsubscribe(phone.name, topic)));
    return make('li', {}, make('span', {}, topic), one);
  });
  const rest = phone.topics - names.length;
  const element = find('phone-topics');
  const typed = element.querySelector('input')?.value ?? '';
  const form = make('form', { class: 'inline' },
    make('input', { id: 'phone-topic', 'aria-label': 'Topic', placeholder: 'Topic', required: true, autocomplete: 'off', 'data-focus': 'topic', value: typed }),
    make('button', { 'data-focus': 'subscribe' }, 'Subscribe'));
  form.addEventListener('submit', event => {
    event.preventDefault();
    const input = form.querySelector('input');
    shown.attempt(async () => {
      await control.subscribe(phone.name, input.value.trim());
      find('phone-topics').querySelector('input').value = '';
    });
  });
  redraw(element, [make('h2', {}, 'Topics'),
    names.length > 0 ? make('ul', { class: 'chips' }, names) : make('p', { class: 'quiet' }, 'none'),
    rest > 0 ? make('p', { class: 'quiet' }, `and ${rest.toLocaleString('en')} more`) : null, form]);
}

function properties(phone) {
  const text = phone.registration;
  const renew = button(text ? 'Issue a new one' : 'Issue a registration', () => shown.attempt(() => control.register(phone.name)));
  renew.dataset.focus = 'register';
  const drop = button('Delete it', () => shown.attempt(() => control.unregister(phone.name)));
  drop.dataset.focus = 'unregister';
  redraw(find('phone-facts'), [
    make('h2', { id: 'phone-facts-heading' }, 'App'),
    facts('phone-facts-heading', [
      ['Package', phone.package], ['Registered', phone.registered ? 'yes' : 'no'],
      ['Registration', text ? make('code', { class: 'secret', tabindex: 0 }, text) : 'none'],
    ]),
    make('p', { class: 'buttons' }, renew, text ? drop : null),
  ]);
}

async function answer() {
  await shown.attempt(() => replies.reply(shown.phone));
  find('phone-reply')?.focus();
}

async function remove() {
  const name = shown.name;
  if (!await confirmed(['Remove ', foreign(name), '?'], 'Its messages and subscriptions are deleted, too.', 'Remove')) return;
  await shown.attempt(async () => {
    await control.remove(name);
    location.hash = link('phones');
  });
}

let isFetching = false;
let isDue = false;

/** Fetches and draws the newest messages; one request at a time. */
async function messages() {
  isDue = true;
  if (isFetching) return;
  isFetching = true;
  while (isDue) {
    isDue = false;
    const name = shown.name;
    try {
      const answer = await control.messages({ device: name, limit: shown.limit });
      if (name === shown.name && !find('phone').hidden) list(answer);
      if (name === shown.name && shown.phone?.platform !== 'web') await replies.show(shown.phone);
    } catch (error) {
      find('phone-more').replaceChildren(error.message);
    }
  }
  isFetching = false;
}

function list(answer) {
  const element = find('phone-messages');
  const open = new Set([...element.querySelectorAll('details[open]')].map(one => one.dataset.key));
  const rows = answer.messages.map(message => {
    const key = `${message.message_id} ${message.number ?? message.outcome}`;
    return make('li', {}, make('details', { 'data-key': key, open: open.has(key) }, summary(message, key), details(message)));
  });
  redraw(element, rows);
  const rest = answer.total - rows.length;
  const more = button(`Show older messages (${rest.toLocaleString('en')})`, () => { shown.limit += 200; messages(); });
  find('phone-more').replaceChildren(...(rows.length === 0 ? ['No messages yet.'] : rest > 0 ? [more] : []));
}

function summary(message, key) {
  const [text, style] = outcome(message);
  const { notification, data } = message.decrypted ?? { notification: message, data: message.data };
  const [first] = Object.keys(data ?? {});
  const title = notification?.title ?? notification?.body ?? (first === undefined ? 'without content' : `data ${first}`);
  return make('summary', { 'data-focus': key },
    make('span', { class: 'what' }, foreign(title)),
    make('span', { class: `badge ${style}` }, text),
    make('span', { class: 'quiet' }, moment(message.received_at ?? message.dropped_at ?? message.accepted_at)));
}

/** The members of a message that the search returns, in the order of display. */
const members = [
  ['Body', 'body'], ['Subtitle', 'subtitle'], ['Image', 'image'], ['From', 'from'], ['Priority', 'priority'], ['TTL', 'ttl'], ['Expires', 'expires_at'],
  ['Collapse key', 'collapse_key'], ['Tag', 'tag'], ['Sound', 'sound'], ['Badge', 'badge'], ['Channel', 'channel_id'],
  ['Icon', 'icon'], ['Colour', 'color'], ['Interruption level', 'interruption_level'], ['Action', 'click_action'],
  ['Category', 'category'], ['Link', 'link'], ['Analytics label', 'analytics_label'], ['Message ID', 'message_id'],
];

const told = value => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value === undefined ? undefined : String(value));

function details(message) {
  const id = `details-${message.message_id}-${message.number ?? message.outcome}`;
  const actions = message.actions?.map(action => action.title ?? action.action).join(', ');
  return [
    make('span', { id, class: 'unseen' }, 'Fields'),
    facts(id, [
      ['Request', message.request ? make('a', { href: link('requests', message.request) }, `Request ${message.request}`) : undefined],
      ...members.map(([name, key]) => [name, told(message[key])]), ['Actions', actions],
      ['Opened', message.opened_at ? moment(message.opened_at) : undefined],
      ['Decrypted', told(message.decrypted)], ['Not decrypted', undecrypted(message.not_decrypted)],
      ...Object.entries(message.data ?? {}).map(([key, value]) => [['data ', foreign(key)], value]),
    ]),
  ];
}

/** Handles clicks on notifications and switches. */
export function clicked(event) {
  const { phone, attempt } = shown;
  const target = event.target.closest('button');
  if (!phone || !target) return;
  const { condition, note } = target.dataset;
  if (condition) attempt(() => control.change(phone.name, { [condition]: !phone[condition] }));
  if (!note) return;
  const message = phone.tray.find(one => one.number === Number(note));
  if (message) attempt(async () => showOpened(phone, message, await control.tap(phone.name, message.message_id)));
}

/** Handles the letters that switch conditions. */
export function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || /^(input|select|textarea)$/i.test(event.target.tagName)) return;
  if (event.key === 'r' && shown.phone && replies.canReply(shown.phone) && event.target.closest('#phone-card')) {
    event.preventDefault();
    answer();
    return;
  }
  const one = switches.find(one => one.key === event.key);
  if (!one || !shown.phone || !(one.condition in shown.phone) || !event.target.closest('#phone-card')) return;
  event.preventDefault();
  shown.attempt(() => control.change(shown.phone.name, { [one.condition]: !shown.phone[one.condition] }));
}
