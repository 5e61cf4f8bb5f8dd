import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  Document,
  Emoji,
  Hashtag,
  LanguageString,
  Mention,
  Note,
  PUBLIC_COLLECTION,
  Question,
  Update,
} from '@fedify/fedify/vocab'
import type { Object as FedifyObject } from '@fedify/fedify/vocab'
import { parseWithFedify } from '../../../../test/federation/fedify.ts'
import type { FedifyClass } from '../../../../test/federation/fedify.ts'
import { createSigningRemoteAccount } from '../../../../test/federation/remote-account.ts'
import type { RemoteAccount } from '../../../../test/federation/remote-account.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser, TestServer } from '../../../../test/servers/test-server.ts'
import { toDocument, writeUpdate } from './write-activities.ts'
import type { Activity } from './write-activities.ts'
import { writeNotes } from './write-notes.ts'

let testServer: TestServer
let ann: TestUser
let bob: RemoteAccount
let actor: string

before(async () => {
  testServer = await openTestServer({ effects: false })
  ann = await testServer.createUser({ username: 'ann', displayName: 'Ann' })
  bob = await createSigningRemoteAccount(testServer, { username: 'bob' })
  actor = `https://linnet.test/ap/users/${ann.accountId}`
})
after(() => testServer.close())

const hrefs = (ids: readonly URL[]) => ids.map(({ href }) => href)
const pathOf = (uri: string) => uri.replace('https://linnet.test', '')

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function get<T extends FedifyObject>(kind: FedifyClass<T>, path: string): Promise<T> {
  const headers = { accept: 'application/activity+json' }
  const { status, body } = await testServer.anonymous.send({ method: 'GET', url: path, headers })
  assert.equal(status, 200, path)
  return parseWithFedify(kind, body)
}

async function sent<T extends FedifyObject>(kind: FedifyClass<T>, activity: Activity): Promise<T> {
  const object = await parseWithFedify(kind, JSON.parse(toDocument(activity)))
  assert.equal(object.id?.href, activity.uri)
  return object
}

async function post(body: Record<string, unknown>): Promise<{ id: string; uri: string }> {
  const { status, body: made } = await ann.client.post('/api/v1/statuses', body)
  assert.equal(status, 200, JSON.stringify(made))
  return made
}

test('Fedify understands local notes', async () => {
  const upload = await testServer.ctx.db
    .insertInto('media_attachments')
    .values({
      account_id: ann.accountId,
      type: 'image',
      file_key: 'media/ab/cd.png',
      preview_key: 'media/ab/cd-small.png',
      content_type: 'image/png',
      byte_size: '5',
      meta: JSON.stringify({ original: { width: 640, height: 480 }, focus: { x: 0.5, y: -0.25 } }),
      blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
      description: 'a bird',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const emoji = await testServer.ctx.db
    .insertInto('custom_emojis')
    .values({ shortcode: 'linnet', image_key: 'emojis/ab/cd.png' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const parent = await post({ status: 'parent' })
  const made = await post({
    status: 'Hello @bob@remote.test #Birds :linnet:',
    spoiler_text: 'careful',
    language: 'de',
    in_reply_to_id: parent.id,
    media_ids: [upload.id],
  })
  await testServer.ctx.db
    .updateTable('statuses')
    .set({ emoji_ids: [emoji.id], edited_at: new Date('2027-01-02T03:04:05.678Z') })
    .where('id', '=', made.id)
    .execute()
  const note = await get(Note, pathOf(made.uri))
  assert.equal(note.id?.href, made.uri)
  assert.equal(note.attributionId?.href, actor)
  assert.deepEqual(hrefs(note.toIds), [PUBLIC_COLLECTION.href])
  assert.deepEqual(hrefs(note.ccIds), [`${actor}/followers`, bob.uri])
  assert.equal(note.replyTargetId?.href, parent.uri)
  assert.deepEqual([note.sensitive, String(note.summary)], [true, 'careful'])
  const german = note.contents.find((one) => one instanceof LanguageString)
  assert.equal(german?.locale.toString(), 'de')
  assert.equal(String(german), String(note.content))
  assert.match(String(note.content), /^<p>Hello <span class="h-card"/)
  assert.equal(note.updated?.toString(), '2027-01-02T03:04:05.678Z')
  assert.equal((note.url as URL).href, `https://linnet.test/@ann/${made.id}`)
  const [file] = await all(note.getAttachments())
  assert.ok(file instanceof Document)
  assert.deepEqual(
    [(file.url as URL).href, file.mediaType, file.name, file.width, file.height],
    ['https://linnet.test/system/media/ab/cd.png', 'image/png', 'a bird', 640, 480],
  )
  const [mention, hashtag, customEmoji] = await all(note.getTags())
  assert.ok(mention instanceof Mention && hashtag instanceof Hashtag && customEmoji instanceof Emoji)
  assert.deepEqual([mention.href?.href, mention.name], [bob.uri, '@bob@remote.test'])
  assert.deepEqual([hashtag.href?.href, hashtag.name], ['https://linnet.test/tags/birds', '#birds'])
  assert.deepEqual([customEmoji.id?.href, customEmoji.name], [`https://linnet.test/emojis/${emoji.id}`, ':linnet:'])
  assert.ok(await get(Emoji, `/emojis/${emoji.id}`))
  const replies = await note.getReplies()
  assert.equal(replies?.id?.href, `${made.uri}/replies`)
  assert.equal((await note.getLikes())?.totalItems, 0)
  assert.equal((await note.getShares())?.totalItems, 0)
})

for (const multiple of [false, true]) {
  test(`Fedify understands local polls, ${multiple ? 'with several choices' : 'with one choice'}`, async () => {
    const made = await post({ status: 'tea?' })
    const expires = new Date('2026-12-01T00:00:00Z')
    await testServer.ctx.db
      .insertInto('polls')
      .values({
        status_id: made.id,
        account_id: ann.accountId,
        options: ['tea', 'coffee'],
        tallies: [2, 1],
        multiple,
        voters_count: 3,
        expires_at: expires,
      })
      .execute()
    const [open, over] = [new Date('2026-11-30T00:00:00Z'), new Date('2026-12-02T00:00:00Z')]
    const read = async (now: Date) => {
      const note = (await writeNotes(testServer.ctx, { ids: [made.id], now })).get(made.id)!
      return sent(Update, writeUpdate(testServer.ctx.config, { note, at: now }))
    }
    const update = await read(open)
    const question = await update.getObject()
    assert.ok(question instanceof Question)
    const options = await all(multiple ? question.getInclusiveOptions() : question.getExclusiveOptions())
    assert.deepEqual(
      options.map((one) => String(one.name)),
      ['tea', 'coffee'],
    )
    const tallies = await Promise.all(options.map(async (one) => (await one.getReplies())?.totalItems))
    assert.deepEqual(tallies, [2, 1])
    assert.deepEqual(
      [question.voters, question.closed, question.endTime?.toString()],
      [3, null, '2026-12-01T00:00:00Z'],
    )
    assert.deepEqual(hrefs(update.toIds), [PUBLIC_COLLECTION.href])
    const closed = await (await read(over)).getObject()
    assert.ok(closed instanceof Question)
    assert.equal(String(closed.closed), '2026-12-01T00:00:00Z')

    await testServer.ctx.db.updateTable('polls').set({ hide_totals: true }).where('status_id', '=', made.id).execute()
    const hidden = await (await read(open)).getObject()
    assert.ok(hidden instanceof Question)
    const [first] = await all(multiple ? hidden.getInclusiveOptions() : hidden.getExclusiveOptions())
    assert.equal((await first!.getReplies())?.totalItems, null)
  })
}
