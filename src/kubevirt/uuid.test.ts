import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameUuid } from './uuid.ts';

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

/** The same by Node's own SHA-1. */
function reference(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name);
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

describe('nameUuid', () => {
  it('agrees with the example of RFC 9562', () => {
    expect(nameUuid(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('agrees with Node for any name and namespace, over the block boundaries too', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ maxLength: 200, unit: 'grapheme' }), (namespace, name) => {
        expect(nameUuid(namespace, name)).toBe(reference(namespace, name));
      }),
    );
  });

  it.each(Array.from({ length: 70 }, (_, length) => length + 20))('agrees for %i letters', (length) => {
    const name = 'n'.repeat(length);
    expect(nameUuid(DNS, name)).toBe(reference(DNS, name));
  });
});
