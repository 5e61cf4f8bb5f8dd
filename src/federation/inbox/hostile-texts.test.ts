// Slow: formats large hostile texts.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { parseFragment, serialize } from 'parse5'
import { openFediverse } from '../../../test/fediverse.ts'
import { ELEMENTS, MXSS } from '../../../test/hostile-html.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import { measureStall } from '../../../test/stall.ts'
import { sanitizeHtml } from '../../lib/text/sanitize.ts'

const lookAlike = 'xn--80ak6aa92e.test'
const fediverse = await openFediverse({ hosts: ['remote.test', lookAlike] })
const { world, peer, uriOf, deliver, befriend, show } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')
const twin = await peer.host(lookAlike).createActor('bob', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
await befriend(alice, bob)
const canary = (await alice.client.post('/api/v1/statuses', { status: 'canary' })).body.id

async function take(fields: Record<string, unknown>, author = bob): Promise<Activity> {
  const note = author.note({ cc: [`${author.id}/followers`, uriOf(alice)], ...fields })
  await deliver(author, author.activity('Create', note, { to: note['to'], cc: note['cc'] }))
  return note
}

/** Whether a page that shows this holds nothing but what posts may hold. */
function assertClean(html: string): void {
  assert.equal(sanitizeHtml(html), html)
  for (const [, name] of serialize(parseFragment(html)).matchAll(/<\/?([a-z0-9]+)/g))
    assert.ok(ELEMENTS.has(name!), name!)
}

suite('a status of another server', () => {
  test('HT9 BI16 that is a bomb is taken, cut, and holds up nobody', async () => {
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
      const stallMs = await measureStall(async () => {
        note = await take({ content, summary: content, name: content })
        assert.equal((await alice.client.get(`/api/v1/statuses/${canary}`)).body.content, '<p>canary</p>')
      })
      assert.ok(stallMs < 250, `${piece} held up others for ${stallMs} ms`)
      const shown = await show(alice, note!['id'])
      assert.ok(shown.content.startsWith('<p>begins</p>') && shown.content.length <= 32_768, piece)
      assertClean(shown.content)
    }
  })

  test('HT9 with a formula that is none goes on after it', async () => {
    for (const content of [
      '<p>a<math><mi>x<p>b</p>',
      '<math><semantics><annotation encoding="application/x-tex">t',
      '<math/>x',
      '<p>a</math>b',
    ]) {
      assertClean((await show(alice, (await take({ content }))['id'])).content)
    }
  })

  test('HT1 HT2 HT3 with markup that browsers read otherwise is shown clean, wherever its words are shown', async () => {
    for (const html of MXSS) {
      const options = [html, 'no'].map((name) => ({
        type: 'Note',
        name,
        replies: { type: 'Collection', totalItems: 0 },
      }))
      const attachment = [{ type: 'Document', mediaType: 'image/png', url: 'https://remote.test/a.png', name: html }]
      const endTime = new Date(Date.now() + 3_600_000).toISOString()
      const note = await take({
        type: 'Question',
        content: `<p>x</p>${html}`,
        summary: html,
        oneOf: options,
        endTime,
        attachment,
      })
      const { content, spoiler_text, poll, media_attachments } = await show(alice, note['id'])
      assertClean(content)
      // HT4: these are texts. Clients show their signs as they stand.
      assert.equal(poll?.options[0]?.title.includes('\0') ?? false, false)
      assert.equal(spoiler_text, html.trim().replace(/[^\P{Cc}\n\t]/gu, ''))
      assert.equal(typeof media_attachments[0]?.description, 'string')
    }
  })

  test('HT7 hides no address behind classes that clients do not know, and vouches for nobody', async () => {
    const content =
      '<p><a href="https://evil.test/" rel="me" class="verified sr-only invisible u-url" style="x">https://good.test</a></p>'
    const { content: shown } = await show(alice, (await take({ content }))['id'])
    assert.equal(
      shown,
      '<p><a href="https://evil.test/" class="invisible u-url" rel="nofollow noopener" target="_blank">https://good.test</a></p>',
    )
  })
})

suite('somebody of another server', () => {
  test('HT7 can say neither that a link of theirs was verified, nor that one speaks for them', async () => {
    const value =
      '<a href="https://good.test/" rel="me" class="verified"><span class="invisible">https://</span>good.test</a>'
    const attachment = [{ type: 'PropertyValue', name: 'Site', value, verified_at: '2026-01-01T00:00:00Z' }]
    const eve = await peer.host('remote.test').createActor('eve', { keys: bob.keys, document: { attachment } })
    const note = await take({}, eve)
    const { account } = await show(alice, note['id'])
    assert.equal(account.fields[0]?.verified_at, null)
    assert.doesNotMatch(account.fields[0]?.value ?? 'none', /rel="[^"]*me|verified/)
  })

  test('HT8 whose domain looks like another one is shown by what it is', async () => {
    const { account } = await show(alice, (await take({}, twin))['id'])
    assert.equal(account.acct, `bob@${lookAlike}`)
    const { body } = await alice.client.post('/api/v1/statuses', { status: `@bob@remote.test @bob@${lookAlike} hello` })
    assert.deepEqual(
      body.mentions.map(({ acct }: { acct: string }) => acct),
      ['bob@remote.test', `bob@${lookAlike}`],
    )
    assert.ok(body.content.includes(`@<span>bob@${lookAlike}</span>`))
  })

  test('HT8 whose name turns or hides letters has it as text, and no such handle', async () => {
    const name = '\u202eecila\u202c \u200b\u2066x'
    const eve = await peer.host('remote.test').createActor('mallory', { keys: bob.keys, document: { name } })
    assert.equal((await show(alice, (await take({}, eve))['id'])).account.display_name, name)
    const trick = await peer.host('remote.test').createActor('al\u200bice', { keys: bob.keys })
    const note = trick.note({ cc: [uriOf(alice)] })
    await trick.send(trick.activity('Create', note, { to: note['to'], cc: note['cc'] }))
    await world.settle()
    assert.equal(await fediverse.findStatus(note['id']), undefined)
  })
})
