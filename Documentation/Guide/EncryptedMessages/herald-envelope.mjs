// Opens messages that Herald encrypted for this installation of the app.
//
// It uses only the Web Cryptography API with X25519: Chrome 133, Firefox 130, Safari 17, Node.js 20.

const encoder = new TextEncoder();
const info = encoder.encode('herald envelope 1');
const kem = new Uint8Array([...encoder.encode('KEM'), 0x00, 0x20]);
const suite = new Uint8Array([...encoder.encode('HPKE'), 0x00, 0x20, 0x00, 0x01, 0x00, 0x02]);
const version = encoder.encode('HPKE-v1');
const headSize = 41;

/** Creates the key pair of this installation. Store it, for example in IndexedDB. */
export async function makeKey() {
  const pair = await crypto.subtle.generateKey({ name: 'X25519' }, false, ['deriveBits']);
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  return { privateKey: pair.privateKey, publicKey };
}

/** Returns the text of a public key for the column `public_key` of the list. */
export function textOf(publicKey) {
  return btoa(String.fromCharCode(...publicKey));
}

/**
 * Returns the content of a message: an object with `data` and, if the campaign has one, `notification`.
 *
 * If it throws, show nothing: the message was changed, or is for another installation.
 *
 * `data`: the data of the message. `project`: the name of the project in `herald.yaml`. `keys`: the present key
 * pair, and former ones until their messages have expired.
 */
export async function open(data, project, keys) {
  const context = data.herald_context ?? '';
  const bytes = decoded(data.herald_envelope ?? '');
  if (bytes.length <= headSize || bytes[0] !== 1) throw new Error('not an envelope');
  if (!context.startsWith(`${project}/`)) throw new Error('a message of another project');
  const id = bytes.slice(1, 9);
  for (const key of keys) {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', key.publicKey));
    if (!id.every((byte, place) => byte === digest[place])) continue;
    const clear = await opened(bytes, joined(encoder.encode(context), id), key);
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(clear));
  }
  throw new Error('encrypted for an unknown key');
}

// HPKE (RFC 9180), base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
async function opened(bytes, associatedData, key) {
  const encapsulated = bytes.slice(9, headSize);
  const sender = await crypto.subtle.importKey('raw', encapsulated, { name: 'X25519' }, false, []);
  const secret = new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'X25519', public: sender }, key.privateKey, 256));
  if (secret.every((byte) => byte === 0)) throw new Error('an encapsulated key of small order');
  const shared = await expanded(kem, await extracted(kem, empty, 'eae_prk', secret), 'shared_secret',
    joined(encapsulated, key.publicKey), 32);
  const schedule = joined(
    new Uint8Array([0]), await extracted(suite, empty, 'psk_id_hash', empty),
    await extracted(suite, empty, 'info_hash', info));
  const root = await extracted(suite, shared, 'secret', empty);
  const aesKey = await crypto.subtle.importKey(
    'raw', await expanded(suite, root, 'key', schedule, 32), 'AES-GCM', false, ['decrypt']);
  const nonce = await expanded(suite, root, 'base_nonce', schedule, 12);
  return crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: nonce, additionalData: associatedData }, aesKey, bytes.slice(headSize));
}

const empty = new Uint8Array();

function extracted(id, salt, label, content) {
  return mac(salt, joined(version, id, encoder.encode(label), content));
}

async function expanded(id, key, label, content, length) {
  const labelled = joined(
    new Uint8Array([0, length]), version, id, encoder.encode(label), content, new Uint8Array([1]));
  return (await mac(key, labelled)).slice(0, length);
}

async function mac(secret, content) {
  // An empty salt is as many zeros as the hash has bytes (RFC 5869).
  const key = await crypto.subtle.importKey(
    'raw', secret.length ? secret : new Uint8Array(32), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
}

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

function decoded(text) {
  return Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
