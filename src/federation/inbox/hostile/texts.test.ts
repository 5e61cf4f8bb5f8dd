// Slow: formats large hostile texts.
// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { parseFragment, serialize } from 'parse5'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { ELEMENTS, MXSS } from '../../../../test/text/hostile-html.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import { measureEventLoopBlock } from '../../../../test/performance/measure-event-loop-block.ts'
import { sanitizeHtml } from '../../../lib/html/sanitize.ts'

const lookAlike = 'xn--80ak6aa92e.test'
const fediverse = await openFediverse({ hosts: ['remote.test', lookAlike] })
const { testServer, peer, uriOf, deliver, followEachOther, show } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')
const lookAlikeBob = await peer.host(lookAlike).createActor('bob', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
await followEachOther(alice, bob)
const canary = (await alice.client.post('/api/v1/statuses', { status: 'canary' })).body.id

async function deliverNote(fields: Record<string, unknown>, author = bob): Promise<Activity> {
  const note = author.note({ cc: [`${author.id}/followers`, uriOf(alice)], ...fields })
  await deliver(author, author.activity('Create', note, { to: note['to'], cc: note['cc'] }))
  return note
}

/** Asserts that HTML contains only elements that are allowed in statuses. */
function assertClean(html: string): void {
  assert.equal(sanitizeHtml(html), html)
  for (const [, name] of serialize(parseFragment(html)).matchAll(/<\/?([a-z0-9]+)/g))
    assert.ok(ELEMENTS.has(name!), name!)
}

suite('a remote status', () => {
  test('HT9 BI16 with an HTML bomb is truncated, and does not block the event loop', async () => {
    const pieces = [
      '<b>',
      '<p>',
      '<ul><li>',
      '<b></x>',
      '<math><mi>',
      '<ruby><rt>',
      '<!--',
      '&lt;',
      '<a href="',
      'z\u0335',
      '@a@b.c ',
      '#a ',
      ' \n',
      '<table><td>',
    ]
    for (const piece of pieces) {
      const content = `<p>begins</p>${piece.repeat(Math.floor(100_000 / piece.length))}`
      let note: Activity | undefined
      const blockedMs = await measureEventLoopBlock(async () => {
        note = await deliverNote({ content, summary: content, name: content })
        assert.equal((await alice.client.get(`/api/v1/statuses/${canary}`)).body.content, '<p>canary</p>')
      })
      assert.ok(blockedMs < 250, `${piece} blocked the event loop for ${blockedMs} ms`)
      const shown = await show(alice, note!['id'])
      assert.ok(shown.content.startsWith('<p>begins</p>') && shown.content.length <= 32_768, piece)
      assertClean(shown.content)
    }
  })

  test('HT9 with invalid MathML is shown sanitised', async () => {
    for (const content of [
      '<p>a<math><mi>x<p>b</p>',
      '<math><semantics><annotation encoding="application/x-tex">t',
      '<math/>x',
      '<p>a</math>b',
    ]) {
      assertClean((await show(alice, (await deliverNote({ content }))['id'])).content)
    }
  })

  test('HT1 HT2 HT3 with mutation XSS in any of its texts is shown sanitised', async () => {
    for (const html of MXSS) {
      const options = [html, 'no'].map((name) => ({
        type: 'Note',
        name,
        replies: { type: 'Collection', totalItems: 0 },
      }))
      const attachment = [{ type: 'Document', mediaType: 'image/png', url: 'https://remote.test/a.png', name: html }]
      const endTime = new Date(Date.now() + 3_600_000).toISOString()
      const note = await deliverNote({
        type: 'Question',
        content: `<p>x</p>${html}`,
        summary: html,
        oneOf: options,
        endTime,
        attachment,
      })
      const { content, spoiler_text, poll, media_attachments } = await show(alice, note['id'])
      assertClean(content)
      // HT4: these are plain texts, which clients show literally.
      assert.equal(poll?.options[0]?.title.includes('\0') ?? false, false)
      assert.equal(spoiler_text, html.trim().replace(/[^\P{Cc}\n\t]/gu, ''))
      assert.equal(typeof media_attachments[0]?.description, 'string')
    }
  })

  test('HT7 loses unknown classes, which could hide URLs, and rel="me"', async () => {
    const content =
      '<p><a href="https://evil.test/" rel="me" class="verified sr-only invisible u-url" style="x">https://good.test</a></p>'
    const { content: shown } = await show(alice, (await deliverNote({ content }))['id'])
    assert.equal(
      shown,
      '<p><a href="https://evil.test/" class="invisible u-url" rel="nofollow noopener" target="_blank">https://good.test</a></p>',
    )
  })
})

suite('a remote account', () => {
  test('HT7 cannot claim that a link is verified, nor set rel="me"', async () => {
    const value =
      '<a href="https://good.test/" rel="me" class="verified"><span class="invisible">https://</span>good.test</a>'
    const attachment = [{ type: 'PropertyValue', name: 'Site', value, verified_at: '2026-01-01T00:00:00Z' }]
    const eve = await peer.host('remote.test').createActor('eve', { keys: bob.keys, document: { attachment } })
    const note = await deliverNote({}, eve)
    const { account } = await show(alice, note['id'])
    assert.equal(account.fields[0]?.verified_at, null)
    assert.doesNotMatch(account.fields[0]?.value ?? 'none', /rel="[^"]*me|verified/)
  })

  test('HT8 with a look-alike domain is shown with its Punycode domain', async () => {
    const { account } = await show(alice, (await deliverNote({}, lookAlikeBob))['id'])
    assert.equal(account.acct, `bob@${lookAlike}`)
    const { body } = await alice.client.post('/api/v1/statuses', { status: `@bob@remote.test @bob@${lookAlike} hello` })
    assert.deepEqual(
      body.mentions.map(({ acct }: { acct: string }) => acct),
      ['bob@remote.test', `bob@${lookAlike}`],
    )
    assert.ok(body.content.includes(`@<span>bob@${lookAlike}</span>`))
  })

  test('HT8 can have control characters in its display name, but not in its handle', async () => {
    const name = '\u202eecila\u202c \u200b\u2066x'
    const eve = await peer.host('remote.test').createActor('mallory', { keys: bob.keys, document: { name } })
    assert.equal((await show(alice, (await deliverNote({}, eve))['id'])).account.display_name, name)
    const trick = await peer.host('remote.test').createActor('al\u200bice', { keys: bob.keys })
    const note = trick.note({ cc: [uriOf(alice)] })
    await trick.send(trick.activity('Create', note, { to: note['to'], cc: note['cc'] }))
    await testServer.waitForJobs()
    assert.equal(await fediverse.findStatus(note['id']), undefined)
  })
})
