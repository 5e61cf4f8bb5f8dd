// Slow: formats large hostile texts.
// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseFragment, serialize } from 'parse5'
import { MXSS } from '../../../../../test/text/hostile-html.ts'
import { measureEventLoopBlock } from '../../../../../test/performance/measure-event-loop-block.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import { cleanText } from '../../../../lib/text/clean-text.ts'
import { htmlToPlainText } from '../../../../lib/html/html-to-plain-text.ts'

// Advanced after some posts, so that no throttle applies.
let days = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + days * 86_400_000) })
after(testServer.close)

const alice = await testServer.createUser()
const { client } = alice
const canary = (await client.post('/api/v1/statuses', { status: 'canary' })).body.id

/** Sends a text in every field of a status and in an edit. Returns how long the event loop was blocked, in ms. */
async function write(text: string, expected: readonly number[]): Promise<number> {
  days += 1
  const poll = { options: [text, 'no'], expires_in: 3600 }
  return measureEventLoopBlock(async () => {
    const { body: edited } = await client.post('/api/v1/statuses', { status: 'before' })
    const responses = [
      await client.post('/api/v1/statuses', { status: text }),
      await client.post('/api/v1/statuses', { status: 'x', spoiler_text: text }),
      await client.post('/api/v1/statuses', { status: 'x', poll }),
      await client.put(`/api/v1/statuses/${edited.id}`, { status: text }),
    ]
    for (const { status, body } of responses) {
      assert.ok(
        expected.includes(status),
        `${JSON.stringify(text.slice(0, 20))}: ${status} ${JSON.stringify(body).slice(0, 900)}`,
      )
    }
    assert.equal((await client.get(`/api/v1/statuses/${canary}`)).body.content, '<p>canary</p>')
  })
}

test('HT9 BI7 BI16 a text of 100 kB is rejected without blocking the event loop, whatever it contains', async () => {
  const patterns =
    `<b> <math><mi> <!-- &lt; @a @a@b.c # #a·# http:// http://a/( https://😀. xmpp: 👩‍ \u0301 \u202e ＠ :x: \ufdfd`.split(
      ' ',
    )
  for (const pattern of [...patterns, '\n.', ' \n.', '@nobody ', ' #tag', '\u200d\ufe0f']) {
    const stallMs = await write(`x${pattern.repeat(Math.ceil(100_000 / pattern.length))}x`, [422])
    assert.ok(stallMs < 250, `${JSON.stringify(pattern)} blocked the event loop for ${stallMs} ms`)
  }
})

test('BI7 a text of invisible characters is blank, and joiners do not reduce the length of a text', async () => {
  const { body: posted } = await client.post('/api/v1/statuses', { status: 'before' })
  const scheduledAt = new Date(Date.now() + (days * 24 + 1) * 3_600_000).toISOString()
  const whitespace = [' ', '\n\t\r\n', '\u00a0\u3000', '\u2003'.repeat(10)]
  const invisible = [
    '\u200b',
    '\u200c\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u180e',
    '\u3164',
    '\u115f',
    '\u2800 \u200b',
  ]
  for (const blank of ['', ...whitespace, ...invisible]) {
    const responses = [
      await client.post('/api/v1/statuses', { status: blank }),
      await client.post('/api/v1/statuses', { status: blank, spoiler_text: blank }),
      await client.post('/api/v1/statuses', { status: blank, scheduled_at: scheduledAt }),
      await client.post('/api/v1/statuses', { status: blank, poll: { options: ['a', 'b'], expires_in: 3600 } }),
      await client.put(`/api/v1/statuses/${posted.id}`, { status: blank }),
    ]
    for (const { status, body } of responses) {
      assert.deepEqual([status, body.error], [422, "Validation failed: Text can't be blank"], JSON.stringify(blank))
    }
    const options = ['a', blank]
    const poll = await client.post('/api/v1/statuses', { status: 'x', poll: { options, expires_in: 3600 } })
    assert.deepEqual(
      [poll.status, poll.body.error],
      [422, 'Validation failed: Options must have more than one item'],
      JSON.stringify(blank),
    )
    const list = await client.post('/api/v1/lists', { title: blank })
    assert.deepEqual([list.status, list.body.error], [422, "Validation failed: Title can't be blank"])
    const filter = await client.post('/api/v2/filters', { title: blank, context: ['home'] })
    assert.equal(filter.status, 422, JSON.stringify(blank))
  }
  const warned = await client.post('/api/v1/statuses', { status: '\u200b', spoiler_text: 'said' })
  assert.deepEqual([warned.body.content, warned.body.spoiler_text], ['<p>said</p>', ''])
  const joined = (length: number) => Array.from({ length }, () => '👩').join('\u200d')
  assert.equal((await client.post('/api/v1/statuses', { status: joined(10) })).status, 200)
  for (const text of [joined(300), `a${'\u0301'.repeat(600)}`, '\u200b'.repeat(501), '@a '.repeat(10_000)]) {
    assert.equal((await client.post('/api/v1/statuses', { status: text })).status, 422)
  }
})

test('HT1 HT2 HT3 markup in a status is rendered as text', async () => {
  for (const text of [...MXSS, '<b>x</b> &lt; &amp;lt; "\' `', 'javascript:alert(1) https://a.b/"onmouseover="x']) {
    const { status, body } = await client.post('/api/v1/statuses', { status: text })
    assert.equal(status, 200, text)
    const tree = serialize(parseFragment(body.content))
    assert.doesNotMatch(tree, /<(?!\/?(?:p|a|span|br)[\s>])/, text)
    assert.equal(htmlToPlainText(body.content), cleanText(text).trim(), text)
    const source = await client.get(`/api/v1/statuses/${body.id}/source`)
    assert.equal(source.body.text, cleanText(text))
  }
})

test('BI6 HT8 control characters, malformed text and many combining marks are accepted and returned', async () => {
  for (const [text, expected] of [
    ['a\u0000b', 'ab'],
    ['a\ud800b', 'a\ufffdb'],
    ['\u202egnp.exe', '\u202egnp.exe'],
    [`z${'\u0335\u0322'.repeat(15)}`, `z${'\u0335\u0322'.repeat(15)}`],
    ['\u{e0001}\u{e0061}tag', '\u{e0001}\u{e0061}tag'],
  ] as const) {
    const { status, body } = await client.post('/api/v1/statuses', { status: text })
    assert.equal(status, 200, JSON.stringify(text))
    assert.equal(body.content, `<p>${expected}</p>`)
  }
})
