import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { openCardServer } from '../../../test/features/cards.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { Activity } from '../../../test/federation/peer/inbox.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'

const fediverse = await openFediverse({ hosts: ['site.test', 'remote.test'] })
after(fediverse.close)
const { testServer, peer, deliver, show } = fediverse
const { serve } = openCardServer({ testServer, peer, host: 'site.test' })
const alice = await testServer.createUser({ username: 'alice' })
const carol = await peer.host('remote.test').createActor('carol')
await fediverse.followEachOther(alice, carol)

const page = (title: string) => serve(`<!doctype html><title>${title}</title>`)
const [attached, linked, other] = [page('Attached'), page('Linked'), page('Other')]
const content = `<p><a href="${linked}">it</a></p>`

/** Delivers a note and returns the title of its card. */
async function deliverNote(type: 'Create' | 'Update', note: Activity): Promise<string | undefined> {
  await deliver(carol, carol.activity(type, note, { to: note['to'], cc: note['cc'] }))
  await makeJobsDue(testServer.ctx, 'fetchCard')
  await testServer.waitForJobs()
  return (await show(alice, note['id'])).card?.title
}

test('a page that a remote status attaches gets the preview card, rather than a link in its text', async () => {
  for (const attachment of [
    { type: 'Link', href: attached, mediaType: 'text/html' },
    [{ href: attached }, { type: 'Link', href: other }],
  ]) {
    assert.equal(await deliverNote('Create', carol.note({ content, attachment })), 'Attached')
  }
  // Lemmy's posts of links.
  const attachment = [{ type: 'Link', href: attached }]
  assert.equal(await deliverNote('Create', carol.note({ type: 'Page', name: 'Look', attachment })), 'Attached')
  assert.equal(await deliverNote('Create', carol.note({ content: '', attachment })), 'Attached')
})

test('no preview card is of an attached file, or of a page that is attached together with a file', async () => {
  const file = { type: 'Document', mediaType: 'image/png', url: 'https://remote.test/1.png' }
  const link = { type: 'Link', href: attached }
  assert.equal(await deliverNote('Create', carol.note({ content, attachment: [link, file] })), undefined)
  for (const one of [
    { type: 'Link', href: 'javascript:1' },
    { type: 'Link', href: 5 },
    { type: 'Page', href: attached },
  ])
    assert.equal(await deliverNote('Create', carol.note({ content, attachment: one })), 'Linked')
})

test('a status is stored without the attached page whose URL is too long as browsers serialise it', async () => {
  const characters = Array.from({ length: 670 }, () => String.fromCodePoint(randomInt(0x800, 0xd800)))
  const href = `https://site.test/${characters.join('')}`
  assert.ok(Buffer.byteLength(href) < 2_048)
  assert.equal(await deliverNote('Create', carol.note({ content, attachment: { type: 'Link', href } })), 'Linked')
})

test('an Update can change or remove the attached page, and a change of nothing else is no edit', async () => {
  const note = carol.note({ content, attachment: { type: 'Link', href: attached } })
  assert.equal(await deliverNote('Create', note), 'Attached')
  const start = Date.now()
  const updated = (n: number) => new Date(start + n * 1_000).toISOString()
  const changed = { ...note, attachment: { type: 'Link', href: other }, updated: updated(1) }
  assert.equal(await deliverNote('Update', changed), 'Other')
  assert.equal((await show(alice, note['id'])).edited_at, null)
  const text = `<p><a href="${linked}">edited</a></p>`
  const edited = { ...note, content: text, attachment: [], updated: updated(2) }
  assert.equal(await deliverNote('Update', edited), 'Linked')
})
