import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, findTotpStep, totpCode, totpStep, totpUri } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

test('codes are those of RFC 6238 appendix B, with six digits', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of vectors) assert.equal(totpCode(SECRET, totpStep(new Date(seconds * 1_000))), code)
})

test('a code is found one step early or late, with spaces, and in Arabic or Persian digits, and not otherwise', () => {
  const now = new Date(1_234_567_890_000)
  const step = totpStep(now)
  const codeOf = (offset: number) => totpCode(SECRET, step + offset)
  for (const offset of [-1, 0, 1]) assert.equal(findTotpStep(SECRET, { code: codeOf(offset), now }), step + offset)
  for (const offset of [-2, 2]) assert.equal(findTotpStep(SECRET, { code: codeOf(offset), now }), null)
  assert.equal(findTotpStep(SECRET, { code: ' 005 924\u00a0', now }), step)
  for (const code of ['٠٠٥٩٢٤', '\u200f۰۰۵ ۹۲۴']) assert.equal(findTotpStep(SECRET, { code, now }), step)
  for (const code of ['', '5924', '0059240', '00592x', '००५९२४'])
    assert.equal(findTotpStep(SECRET, { code, now }), null)
})

test('a secret is Base32 as in RFC 4648 §10, and part of the URI for apps', () => {
  for (const [text, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foob', 'MZXW6YQ'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const)
    assert.equal(base32(Buffer.from(text)), encoded)
  assert.equal(
    totpUri({ secret: Buffer.from('foobar'), issuer: 'linnet.test', label: 'a b@mail.test' }),
    'otpauth://totp/linnet.test:a%20b%40mail.test?secret=MZXW6YTBOI&issuer=linnet.test',
  )
})
