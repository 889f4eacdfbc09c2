// Messages from a phone to its app server: the dialog that sends one, and the list of what happened to them.

import * as control from './control.js';
import { open } from './dialogs.js';
import { field, find, foreign, make, moment } from './dom.js';
import { replied } from './words.js';

const atOnce = 50;
/** The category of the last message, for phones without a package. */
let lastCategory = 'com.example.app';

/** Whether apps of a platform can send: the client SDK for the web cannot. */
export const canReply = phone => phone.platform !== 'web' && phone.installed;

/** Asks for a message and sends it. Does nothing if the user cancels. */
export async function reply(phone) {
  const answer = await open(['Reply from ', foreign(phone.name)], [
    field('Text', make('input', { id: 'reply-text', autocomplete: 'off' }), 'The app server receives it as text.'),
    field('Data', make('textarea', { id: 'reply-data', rows: 3, spellcheck: 'false' }), 'One entry a line: key=value'),
    field('Category', make('input', { id: 'reply-category', required: true, autocomplete: 'off', spellcheck: 'false',
      value: phone.package ?? lastCategory }), 'The app that sends.'),
    field('Time to live in seconds', make('input', { id: 'reply-life', type: 'number', min: 0, max: 2419200, required: true,
      value: 2419200 }), 'If no app server acknowledges the message before, it fails.'),
  ], [['', 'Cancel', ''], ['send', 'Send', 'main']]);
  if (answer !== 'send') return;
  lastCategory = value('reply-category');
  await control.sendUpstream(phone.name, {
    message: composed(), category: lastCategory, time_to_live: Number(value('reply-life')),
  });
}

const value = id => find(id).value.trim();

function composed() {
  const pairs = value('reply-data').split('\n').filter(line => line.includes('='))
    .map(line => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1)]);
  return { ...(value('reply-text') ? { text: value('reply-text') } : {}), ...Object.fromEntries(pairs) };
}

/** The section of the phone's view with its messages to the app server. */
export const section = () => make('section', { class: 'card', 'aria-labelledby': 'replies-heading', id: 'replies-section' },
  make('h2', { id: 'replies-heading' }, 'Replies'),
  make('p', { class: 'quiet', id: 'replies-note', role: 'status' }),
  make('ul', { id: 'replies', class: 'messages' }));

/** Fetches and draws the newest messages of a phone to its app server. */
export async function show(phone) {
  const { total } = await control.upstream(phone.name, { limit: 1 });
  const answer = await control.upstream(phone.name, { after: Math.max(0, total - atOnce) });
  const list = find('replies');
  if (!list) return;
  list.replaceChildren(...answer.messages.reverse().map(row));
  find('replies-note').textContent = note(phone, answer);
}

function note(phone, answer) {
  if (answer.messages.some(message => message.state === 'waiting')) {
    return phone.platform === 'apple' && phone.online
      ? 'iOS sends while the app is in the foreground.' : 'The app sends when it has a connection.';
  }
  return answer.total === 0 ? 'No replies yet.' : '';
}

function row(message) {
  const [text, style] = replied(message);
  const content = Object.entries(message.data).map(([key, one]) => (key === 'text' ? one : `${key}=${one}`)).join(', ');
  return make('li', { class: 'reply' },
    make('span', { class: 'what' }, foreign(content || 'without data')),
    make('span', { class: `badge ${style}` }, text),
    make('span', { class: 'quiet' }, moment(message.created_at)),
    make('span', { class: 'quiet' }, foreign(message.message_id)));
}
