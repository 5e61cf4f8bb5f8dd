import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { verifyWithFedify, actorWithKey, signWithFedify } from '../../../test/federation/fedify.ts'
import {
  toIncoming,
  body,
  get,
  rejectionReasonOf,
  keyId,
  post,
  privateKey,
  publicKeyPem,
  rewriteHeaders,
  signAndReceive,
} from '../../../test/federation/signed-requests.ts'
import type { IncomingRequest } from '../../../test/federation/signed-requests.ts'
import { MalformedSignatureError } from './signature.ts'
import type { SignatureSpec } from './signature.ts'
import { parseSignature } from './verify.ts'
import { CODE_POINT } from '../../../test/text/code-points.ts'

const NEEDED = {
  cavage: ['(request-target) ', 'host ', ' digest'],
  rfc9421: ['"@method" ', ' "@target-uri"', ' "content-digest"'],
}

for (const spec of ['cavage', 'rfc9421'] satisfies SignatureSpec[]) {
  suite(spec, () => {
    test('requests signed by this server are accepted by Fedify and by this server', async () => {
      const load = async (requestedId: string) => {
        assert.equal(requestedId, keyId)
        return actorWithKey({ keyId, publicKeyPem })
      }
      for (const draft of [post(), get('https://linnet.test/users/1')]) {
        const request = await signAndReceive(draft, { spec })
        assert.equal(await verifyWithFedify({ ...request, body: draft.body }, { load, spec }), null)
        assert.equal(rejectionReasonOf(request), 'accepted')
      }
    })

    test('requests signed by Fedify are accepted', async () => {
      for (const draft of [post(), get('https://linnet.test/users/1'), get('https://linnet.test/a?page=1&x=%20')]) {
        const headers = await signWithFedify(draft, { keyId, privateKey, spec })
        assert.equal(parseSignature(headers)?.keyId, keyId)
        assert.equal(rejectionReasonOf(toIncoming({ ...draft, headers })), 'accepted', draft.url)
      }
    })

    test('a signature over other bytes, or by another key, is not accepted', async () => {
      const request = await signAndReceive(post(), { spec })
      assert.equal(rejectionReasonOf({ ...request, body: Buffer.from('{}') }), 'digest')
      const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
      assert.equal(rejectionReasonOf(request, other), 'key')
      assert.equal(rejectionReasonOf({ ...request, headers: post().headers }), 'unsigned')
    })

    test('IN1 a change of any covered byte invalidates the signature', async () => {
      const request = await signAndReceive(post('https://linnet.test/users/1/inbox?x=1'), { spec })
      const headers = Object.keys(request.headers)
      const parts = fc.constantFrom(...headers, 'body', 'url', 'method')
      fc.assert(
        fc.property(parts, fc.nat(), fc.integer({ min: 33, max: 126 }), (part, at, code) => {
          const changed = changeByte(request, { part, at, char: String.fromCharCode(code) })
          fc.pre(changed !== null)
          assert.notEqual(rejectionReasonOf(changed), 'accepted')
        }),
        { numRuns: 400 },
      )
    })

    test('IN1 a signature that does not cover target, host and digest is refused', async () => {
      const request = await signAndReceive(post(), { spec })
      for (const name of NEEDED[spec])
        assert.equal(rejectionReasonOf(rewriteHeaders(request, name, '')), 'coverage', name)
      for (const name of spec === 'cavage' ? ['digest', 'date'] : ['content-digest']) {
        const { [name]: _, ...headers } = request.headers
        assert.equal(rejectionReasonOf({ ...request, headers }), 'coverage', name)
      }
    })

    test('a signature for another host is refused', async () => {
      const request = await signAndReceive(post('https://elsewhere.test/inbox'), { spec })
      assert.equal(rejectionReasonOf({ ...request, url: 'https://linnet.test/inbox' }), 'host')
      const spelled = { ...post(), headers: { ...post().headers, host: 'LINNET.test:443' } }
      assert.equal(rejectionReasonOf(await signAndReceive(spelled, { spec })), 'accepted')
    })

    test('IN7 a key id that is no plain https URL is refused', async () => {
      const request = await signAndReceive(post(), { spec })
      const others = ['data:,x', 'javascript:1', 'file:///etc/passwd', 'http://a.test/k', 'acct:a@b.test', '']
      const odd = ['https://u:p@a.test/k', 'https://a.test\\\\@b.test/', 'https://', 'https://a.test/ü', 'https://a b/']
      for (const id of [...others, ...odd, `https://a.test/${'k'.repeat(65_536)}`]) {
        assert.throws(
          () => parseSignature(rewriteHeaders(request, keyId, id).headers),
          MalformedSignatureError,
          id.slice(0, 40),
        )
      }
      assert.throws(() => parseSignature(rewriteHeaders(request, /keyid/i, 'other').headers), MalformedSignatureError)
      assert.equal(
        parseSignature(rewriteHeaders(request, keyId, 'https://a.test/@b').headers)?.keyId,
        'https://a.test/@b',
      )
    })

    test('IN7 parameters and components may not repeat', async () => {
      const request = await signAndReceive(post(), { spec })
      const twice =
        spec === 'cavage'
          ? [
              [/(keyId="[^"]+",)/, '$1$1'],
              [/^/, 'KEYID="https://a.test/",'],
              [/(signature="[^"]+")/, '$1,$1'],
              ['host', 'host host'],
            ]
          : [
              [/(;keyid="[^"]+")/, '$1$1'],
              [/^(.*)$/, '$1, $1'],
              ['"@method"', '"@method" "@method"'],
            ]
      for (const [from, to] of twice as [string | RegExp, string][]) {
        assert.equal(rejectionReasonOf(rewriteHeaders(request, from, to)), 'malformed', String(from))
      }
    })

    test('IN7 garbage is refused without an exception', () => {
      const texts = fc.oneof(
        fc.string({ unit: CODE_POINT }),
        fc.string({ unit: fc.constantFrom('a', '=', '"', ',', '(', ')', ';', ':', '1', ' ', '\\', 'sig') }),
      )
      fc.assert(
        fc.property(texts, texts, (one, two) => {
          const headers = { ...post().headers, signature: spec === 'cavage' ? one : two }
          const request = toIncoming({ ...post(), headers })
          if (spec === 'rfc9421') request.headers['signature-input'] = one
          assert.notEqual(rejectionReasonOf(request), 'accepted')
        }),
      )
    })
  })
}

/**
 * Changes a byte. Returns null if the change has no effect: hosts, methods and parameter names are case-insensitive.
 */
function changeByte(
  request: IncomingRequest,
  { part, at, char }: { part: string; at: number; char: string },
): IncomingRequest | null {
  const before =
    part === 'body' ? String(body) : ((request as never as Record<string, string>)[part] ?? request.headers[part]!)
  // The host in the URL is that of the server; the signed one is in the Host header. Draft-cavage does not sign the key
  // id.
  const from = part === 'url' ? 'https://linnet.test'.length : Math.max(before.indexOf('headers="'), 0)
  const i = from + (at % (before.length - from))
  const after = before.slice(0, i) + char + before.slice(i + 1)
  if (after === before || (part !== 'body' && after.toLowerCase() === before.toLowerCase())) return null
  if (part === 'body') return { ...request, body: Buffer.from(after) }
  if (part === 'url' || part === 'method') return { ...request, [part]: after }
  return { ...request, headers: { ...request.headers, [part]: after } }
}
