// The view of one request: its message, its answer, the reason for a refusal, and its phones.

import { link } from './address.js';
import * as control from './control.js';
import { code, counted, facts, find, foreign, make, moment } from './dom.js';
import { answered, target } from './requests.js';
import { advised, outcome, platforms } from './words.js';

const atOnce = 100;
let shown;

/** Shows a request. */
export async function show(number) {
  shown = number;
  const view = find('request');
  view.replaceChildren(head(number, null));
  try {
    const request = await control.request(number);
    if (shown !== number) return;
    view.replaceChildren(head(number, request), ...parts(request));
    if (request.message_id) await reached(number, 0);
  } catch (error) {
    view.replaceChildren(head(number, null), make('p', { class: 'nothing' },
      error.status === 404 ? 'There is no request with this number.' : error.message));
  }
}

function head(number, request) {
  const isSend = request?.path.includes('messages:send');
  return make('div', { class: 'head' },
    make('h1', { id: 'request-heading', tabindex: -1 }, `Request ${number}`),
    make('p', { class: 'quiet' }, request ? make('span', { class: `badge ${answered(request)[1]}` }, answered(request)[0]) : null),
    make('nav', { class: 'actions', 'aria-label': 'Requests' },
      Number(number) > 1 ? make('a', { class: 'button', href: link('requests', Number(number) - 1) }, 'Previous') : null,
      make('a', { class: 'button', href: link('requests', Number(number) + 1) }, 'Next'),
      isSend ? make('a', { class: 'button', href: link('send', undefined, { from: number }) }, 'Send again') : null));
}

function parts(request) {
  return [
    refusal(request), fault(request),
    make('div', { class: 'sides even' },
      make('section', { class: 'card', 'aria-labelledby': 'message-heading' },
        make('h2', { id: 'message-heading' }, 'Request'), table(request)),
      request.message_id ? make('section', { class: 'card', 'aria-labelledby': 'reached-heading' },
        make('h2', { id: 'reached-heading' }, 'Phones'), make('p', { class: 'quiet', id: 'reached-summary' }),
        make('ul', { id: 'reached', class: 'reached' }), make('p', { class: 'after', id: 'reached-more' })) : null),
    make('div', { class: 'sides even' },
      make('section', { class: 'card', 'aria-labelledby': 'body-heading' },
        make('h2', { id: 'body-heading' }, 'Body'), code(request.body ?? '', 'Body of the request'), headers(request)),
      make('section', { class: 'card', 'aria-labelledby': 'answer-heading' },
        make('h2', { id: 'answer-heading' }, 'Answer'), code(request.answer ?? 'The client received no answer.', 'Body of the answer'))),
  ].filter(Boolean);
}

/** Explains why the request was refused. */
function refusal(request) {
  if (request.status < 400) return null;
  const why = request.reason ?? request.answer?.error?.message ?? request.answer?.error_description;
  return make('div', { class: 'note-box bad' },
    make('p', {}, make('strong', {}, `Refused with ${request.status}${request.error ? ' ' + request.error : ''}. `),
      why ? foreign(why) : null),
    advised(request.error) ? make('p', {}, advised(request.error)) : null);
}

const effects = {
  performed: 'The emulator performed the request and changed only its answer.',
  'performed twice': 'The emulator performed the request twice.',
  withheld: 'The emulator did not perform the request.',
};

function fault(request) {
  const one = request.fault;
  if (!one) return null;
  const rule = typeof one === 'string' ? one : one.rule;
  return make('div', { class: 'note-box' },
    make('p', {}, make('strong', {}, 'Fault: '), make('a', { href: link('faults') }, foreign(rule)),
      one.what ? [', ', foreign(one.what), '. '] : '. ', effects[one.effect] ?? ''));
}

const table = request => facts('message-heading', [
  ['Time', moment(request.time)],
  ['Path', make('span', {}, make('code', {}, request.method), ' ', make('bdi', {}, request.path))],
  ['Project', request.project],
  ['Target', target(request)],
  ['Title', request.title], ['Text', request.message_body],
  ['Data', request.data && Object.keys(request.data).length > 0
    ? make('ul', {}, Object.entries(request.data).map(([key, value]) => make('li', {}, make('code', {}, foreign(key)), ' ', foreign(String(value)))))
    : undefined],
  ['Validate only', request.validate_only ? 'yes: nothing was delivered' : undefined],
  ['Message ID', request.message_id],
  ...platformHeaders(request),
]);

const sent = request => (typeof request.body === 'object' ? request.body?.message : undefined);

/** The delivery settings that the message has for each platform. */
function platformHeaders(request) {
  const message = sent(request) ?? {};
  const listed = headers => Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join('\n');
  return [
    ['Android', message.android && listed(Object.fromEntries(
      ['priority', 'ttl', 'collapse_key', 'collapseKey'].filter(name => name in message.android).map(name => [name, message.android[name]])))],
    ['iOS headers', message.apns?.headers && listed(message.apns.headers)],
    ['Web headers', message.webpush?.headers && listed(message.webpush.headers)],
  ];
}

function headers(request) {
  if (!request.headers) return make('p', { class: 'quiet' }, 'The emulator keeps the headers of the newest 1,000 requests.');
  return [make('h2', { id: 'headers-heading' }, 'Headers'),
    facts('headers-heading', request.headers.map(([name, value]) => [make('code', {}, name), value]))];
}

/** Fetches the phones of a request. */
async function reached(number, after) {
  const answer = await control.messages({ request: number, limit: atOnce, after });
  if (shown !== number) return;
  find('reached-summary').textContent = answer.total === 0 ? 'No phone has this message.' : counted(answer.total, 'phone');
  const rows = answer.messages.map(message => {
    const [text, style] = outcome(message);
    return make('li', {}, make('a', { href: link('phones', message.device) }, foreign(message.device)),
      make('span', { class: 'quiet' }, platforms[message.platform]), make('span', { class: `badge ${style}` }, text));
  });
  find('reached').append(...rows);
  if (after > 0) rows[0]?.querySelector('a').focus();
  const rest = answer.total - answer.last;
  if (rest <= 0) return find('reached-more').replaceChildren();
  const more = make('button', { type: 'button' }, `Show more phones (${rest.toLocaleString('en')})`);
  more.addEventListener('click', () => reached(number, answer.last));
  find('reached-more').replaceChildren(more);
}

/** Refreshes the phones of a displayed request, for example during a fan-out. */
export async function look() {
  if (find('reached-summary') === null || find('reached').children.length >= atOnce) return;
  const number = shown;
  const answer = await control.messages({ request: number, limit: atOnce });
  if (shown !== number || find('reached') === null) return;
  const texts = answer.messages.map(one => `${one.device} ${one.outcome} ${one.how} ${one.opened_at}`).join();
  if (find('reached').dataset.texts === texts) return;
  find('reached').dataset.texts = texts;
  if (find('reached').contains(document.activeElement)) return;
  find('reached').replaceChildren();
  await reached(number, 0);
}
