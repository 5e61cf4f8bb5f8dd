import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { judgeByFedify, keyHolder, signByFedify } from '../../../test/fedify.ts'
import {
  arrive,
  body,
  get,
  judge,
  keyId,
  post,
  privateKey,
  publicKeyPem,
  rewrite,
  signAndArrive,
} from '../../../test/signed.ts'
import type { Arrived } from '../../../test/signed.ts'
import { MalformedSignature } from './signature.ts'
import type { SignatureSpec } from './signature.ts'
import { parseSignature, verifySignature } from './verify.ts'

const NEEDED = {
  cavage: ['(request-target) ', 'host ', ' digest'],
  rfc9421: ['"@method" ', ' "@target-uri"', ' "content-digest"'],
}

for (const spec of ['cavage', 'rfc9421'] satisfies SignatureSpec[]) {
  suite(spec, () => {
    test('what we sign, others accept, and so do we', async () => {
      const load = async (asked: string) => {
        assert.equal(asked, keyId)
        return keyHolder({ keyId, publicKeyPem })
      }
      for (const draft of [post(), get('https://linnet.test/users/1')]) {
        const request = await signAndArrive(draft, { spec })
        assert.equal(await judgeByFedify({ ...request, body: draft.body }, { load, spec }), null)
        assert.equal(judge(request), 'accepted')
      }
    })

    test('what others sign, we accept', async () => {
      for (const draft of [post(), get('https://linnet.test/users/1'), get('https://linnet.test/a?page=1&x=%20')]) {
        const headers = await signByFedify(draft, { keyId, privateKey, spec })
        assert.equal(parseSignature(headers)?.keyId, keyId)
        assert.equal(judge(arrive({ ...draft, headers })), 'accepted', draft.url)
      }
    })

    test('a signature over other bytes, or by another key, is not accepted', async () => {
      const request = await signAndArrive(post(), { spec })
      assert.equal(judge({ ...request, body: Buffer.from('{}') }), 'digest')
      const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
      assert.equal(verifySignature(request, other)?.reason, 'key')
      assert.equal(judge({ ...request, headers: post().headers }), 'unsigned')
    })

    test('IN1 a change of any byte that is covered makes the signature void', async () => {
      const request = await signAndArrive(post('https://linnet.test/users/1/inbox?x=1'), { spec })
      const headers = Object.keys(request.headers)
      const places = fc.constantFrom(...headers, 'body', 'url', 'method')
      fc.assert(
        fc.property(places, fc.nat(), fc.integer({ min: 33, max: 126 }), (place, at, code) => {
          const changed = changeByte(request, { place, at, char: String.fromCharCode(code) })
          fc.pre(changed !== null)
          assert.notEqual(judge(changed), 'accepted')
        }),
        { numRuns: 400 },
      )
    })

    test('IN1 nothing counts that is not signed: target, host and digest must be', async () => {
      const request = await signAndArrive(post(), { spec })
      for (const name of NEEDED[spec]) assert.equal(judge(rewrite(request, name, '')), 'coverage', name)
      for (const name of spec === 'cavage' ? ['digest', 'date'] : ['content-digest']) {
        const { [name]: _, ...headers } = request.headers
        assert.equal(judge({ ...request, headers }), 'coverage', name)
      }
    })

    test('a signature for another host does not count here', async () => {
      const request = await signAndArrive(post('https://elsewhere.test/inbox'), { spec })
      assert.equal(judge({ ...request, url: 'https://linnet.test/inbox' }), 'host')
      const spelled = { ...post(), headers: { ...post().headers, host: 'LINNET.test:443' } }
      assert.equal(judge(await signAndArrive(spelled, { spec })), 'accepted')
    })

    test('IN7 a key id that is no plain https address is not read', async () => {
      const request = await signAndArrive(post(), { spec })
      const others = ['data:,x', 'javascript:1', 'file:///etc/passwd', 'http://a.test/k', 'acct:a@b.test', '']
      const odd = ['https://u:p@a.test/k', 'https://a.test\\\\@b.test/', 'https://', 'https://a.test/ü', 'https://a b/']
      for (const id of [...others, ...odd, `https://a.test/${'k'.repeat(65_536)}`]) {
        assert.throws(() => parseSignature(rewrite(request, keyId, id).headers), MalformedSignature, id.slice(0, 40))
      }
      assert.throws(() => parseSignature(rewrite(request, /keyid/i, 'other').headers), MalformedSignature)
      assert.equal(parseSignature(rewrite(request, keyId, 'https://a.test/@b').headers)?.keyId, 'https://a.test/@b')
    })

    test('IN7 parameters and components may not repeat', async () => {
      const request = await signAndArrive(post(), { spec })
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
        assert.equal(judge(rewrite(request, from, to)), 'malformed', String(from))
      }
    })

    test('IN7 garbage is refused, and nothing breaks', () => {
      const texts = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('a', '=', '"', ',', '(', ')', ';', ':', '1', ' ', '\\', 'sig') }),
      )
      fc.assert(
        fc.property(texts, texts, (one, two) => {
          const headers = { ...post().headers, signature: spec === 'cavage' ? one : two }
          const request = arrive({ ...post(), headers })
          if (spec === 'rfc9421') request.headers['signature-input'] = one
          assert.notEqual(judge(request), 'accepted')
        }),
      )
    })
  })
}

/** null = the change means nothing: hosts, methods and names of parameters are the same in any case. */
function changeByte(
  request: Arrived,
  { place, at, char }: { place: string; at: number; char: string },
): Arrived | null {
  const before =
    place === 'body' ? String(body) : ((request as never as Record<string, string>)[place] ?? request.headers[place]!)
  // The host of the address is ours; what was sent of it is the Host header. Draft-cavage does not sign who signs.
  const from = place === 'url' ? 'https://linnet.test'.length : Math.max(before.indexOf('headers="'), 0)
  const i = from + (at % (before.length - from))
  const after = before.slice(0, i) + char + before.slice(i + 1)
  if (after === before || (place !== 'body' && after.toLowerCase() === before.toLowerCase())) return null
  if (place === 'body') return { ...request, body: Buffer.from(after) }
  if (place === 'url' || place === 'method') return { ...request, [place]: after }
  return { ...request, headers: { ...request.headers, [place]: after } }
}
