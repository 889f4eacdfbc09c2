// Dialogs: an opened notification, a question before a destructive action, and new phones.

import { facts, field, find, foreign, make, option } from './dom.js';
import { called, platforms } from './words.js';

/** Opens a dialog. Returns the value of the button that closed it, or an empty text if the user cancels. Enter
    presses the last button. */
export function open(heading, children, buttons = [['close', 'Close', 'main']]) {
  const dialog = find('dialog');
  return new Promise(done => {
    // The close event could arrive after the next dialog is open.
    const finish = value => { dialog.close(); done(value); };
    const form = make('form', { method: 'dialog' },
      make('h2', { id: 'dialog-heading' }, heading), children,
      make('div', { class: 'buttons' }, buttons.map(([value, text, style]) => {
        const button = make('button', { type: value === '' ? 'button' : 'submit', value, class: style }, text);
        if (value === '') button.addEventListener('click', () => finish(''));
        return button;
      })));
    form.addEventListener('submit', event => { event.preventDefault(); finish(event.submitter?.value ?? ''); });
    dialog.oncancel = event => { event.preventDefault(); finish(''); };
    dialog.replaceChildren(form);
    dialog.showModal();
  });
}

/** Asks before an action that cannot be undone. */
export const confirmed = async (heading, text, action) =>
  await open(heading, make('p', {}, text), [['', 'Cancel', ''], ['yes', action, 'main danger']]) === 'yes';

/** Shows what the app receives when its user taps a notification. */
export const showOpened = (phone, note, opened) => open(foreign(called(note)), [
  note.body && note.title ? make('p', { class: 'body', dir: 'auto' }, note.body) : null,
  make('p', { class: 'quiet' }, foreign(phone.name), ' opened the app, which received:'),
  make('h3', { id: 'opened-data' }, 'Data'),
  facts('opened-data', Object.entries(opened.data).map(([key, value]) => [foreign(key), value]))
    ?? make('p', { class: 'quiet' }, 'none'),
  make('h3', { id: 'opened-facts' }, 'Target'),
  facts('opened-facts', [['Action', opened.click_action], ['Category', opened.category], ['Link', opened.link],
    ['Message ID', opened.message_id]]),
]);

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A registration in FCM's format. */
function registration() {
  const bytes = crypto.getRandomValues(new Uint8Array(156));
  const text = [...bytes].map(byte => letters[byte % 64]).join('');
  return `${text.slice(0, 22)}:APA91b${text.slice(22)}`;
}

/** Asks for new phones. Returns their specifications, or undefined if the user cancels. */
export async function newPhones() {
  const answer = await open('Add phones', [
    field('Name', make('input', { id: 'new-name', required: true, maxlength: 200, autocomplete: 'off', value: 'phone' }),
      'Several phones get the numbers 1, 2, 3 … after the name.'),
    field('Number of phones', make('input', { id: 'new-count', type: 'number', min: 1, max: 10000, value: 1, required: true })),
    field('Platform', make('select', { id: 'new-platform' }, [
      ...Object.entries(platforms).map(([value, text]) => option(value, text)), option('each', 'Each in turn'),
    ])),
    field('Topics', make('input', { id: 'new-topics', autocomplete: 'off' }), 'Separate several topics by spaces.'),
    field('Package or bundle', make('input', { id: 'new-package', autocomplete: 'off' })),
    make('div', { class: 'checks' },
      make('label', {}, make('input', { type: 'checkbox', id: 'new-online', checked: true }), 'Online'),
      make('label', {}, make('input', { type: 'checkbox', id: 'new-registered', checked: true }), 'With a registration')),
  ], [['', 'Cancel', ''], ['add', 'Add', 'main']]);
  return answer === 'add' ? specified() : undefined;
}

function specified() {
  const value = id => find(id).value.trim();
  const count = Number(value('new-count'));
  const names = Object.keys(platforms);
  return Array.from({ length: count }, (_, index) => ({
    name: count === 1 ? value('new-name') : `${value('new-name')}-${index + 1}`,
    platform: value('new-platform') === 'each' ? names[index % names.length] : value('new-platform'),
    ...(find('new-registered').checked ? { registration: registration() } : {}),
    ...(value('new-package') ? { package: value('new-package') } : {}),
    online: find('new-online').checked,
    topics: value('new-topics').split(/[\s,]+/).filter(Boolean),
  }));
}
