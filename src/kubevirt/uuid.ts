/** UUIDs derived from names (RFC 9562 version 5), as KubeVirt derives the firmware UUID of a VM. */

/**
 * The UUID of a name within a namespace.
 *
 * Promise: lower case with dashes; `namespace` must be a UUID in the same form, `name` is taken as UTF-8.
 */
export function nameUuid(namespace: string, name: string): string {
  const prefix = (namespace.replaceAll('-', '').match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  const bytes = sha1([...prefix, ...new TextEncoder().encode(name)]).slice(0, 16);
  const marked = bytes.map((byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x50;
    return index === 8 ? (byte & 0x3f) | 0x80 : byte;
  });
  const hex = marked.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const INITIAL_STATE = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/** FIPS 180-4. Written out because the inner rings import no runtime library, so that they run anywhere. */
function sha1(message: readonly number[]): number[] {
  let state = INITIAL_STATE;
  const padded = padToBlocks(message);
  for (let start = 0; start < padded.length; start += 64) {
    state = compress(state, scheduleOf(padded.slice(start, start + 64)));
  }
  return state.flatMap(bytesOfWord);
}

function padToBlocks(message: readonly number[]): number[] {
  const zeros = (119 - (message.length % 64)) % 64;
  const bits = message.length * 8;
  const lengthBytes = [...bytesOfWord(Math.floor(bits / 2 ** 32)), ...bytesOfWord(bits >>> 0)];
  return [...message, 0x80, ...Array<number>(zeros).fill(0), ...lengthBytes];
}

function bytesOfWord(word: number): number[] {
  return [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff);
}

function scheduleOf(block: readonly number[]): number[] {
  const words: number[] = [];
  const at = (list: readonly number[], index: number) => list[index] ?? 0;
  for (let i = 0; i < 16; i++) {
    words.push([0, 1, 2, 3].reduce((word, byte) => (word << 8) | at(block, 4 * i + byte), 0));
  }
  for (let i = 16; i < 80; i++) {
    words.push(rotateLeft(at(words, i - 3) ^ at(words, i - 8) ^ at(words, i - 14) ^ at(words, i - 16), 1));
  }
  return words;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function compress(state: readonly number[], words: readonly number[]): number[] {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (const [round, word] of words.entries()) {
    const mixed = (rotateLeft(a, 5) + mix(round, b, c, d) + e + word) | 0;
    [a, b, c, d, e] = [mixed, a, rotateLeft(b, 30), c, d];
  }
  return [a, b, c, d, e].map((word, index) => (word + (state[index] ?? 0)) >>> 0);
}

function mix(round: number, b: number, c: number, d: number): number {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}
