import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIpRange } from './parse-ip-range.ts'

const RANGES: [text: string, first: string, last: string][] = [
  ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
  [' 192.0.2.7/24 ', '192.0.2.0', '192.0.2.255'],
  ['0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
  ['2001:DB8::1', '2001:db8::1', '2001:db8::1'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7/120', '192.0.2.0', '192.0.2.255'],
]

for (const [text, first, last] of RANGES) {
  test(`${text} is the range from ${first} to ${last}`, () => {
    assert.deepEqual(parseIpRange(text), { first, last })
  })
}

test('other texts are no ranges', () => {
  const texts = ['', 'x', '10', '1.2.3', '010.1.1.1', '1.2.3.4/33', '1.2.3.4/', '1.2.3.4/-1', '1.2.3.4/8/8', '::/129']
  for (const text of [...texts, 'fe80::1%eth0', '::1/x', '/8', '1.2.3.4,1.2.3.5']) {
    assert.equal(parseIpRange(text), null, text)
  }
})
