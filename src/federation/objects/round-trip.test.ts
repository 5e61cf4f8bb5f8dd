import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createSigningRemoteAccount } from '../../../test/federation/remote-account.ts'
import { entityTexts } from '../../../test/text/text-samples.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser, TestServer } from '../../../test/servers/test-server.ts'
import { createStatus } from '../../domain/statuses/write/create-statuses.ts'
import { extractHashtags } from '../../lib/text/entities/extract-entities.ts'
import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts'
import { sanitizeHtml } from '../../lib/html/sanitize.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { isBlank } from '../../lib/text/is-blank.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
import { NOTE_CONTEXT, withContext } from '../wire/context.ts'
import { parseDocument } from '../wire/parse-document.ts'
import { visibilityOf } from './audience.ts'
import { readActivity } from './read/read-activity.ts'
import { readActor } from './read/read-actor.ts'
import { readNote } from './read/read-note.ts'
import { toDocument, writeCreate } from './write/write-activities.ts'
import { writeActor } from './write/write-actor.ts'
import { writeNotes } from './write/write-notes.ts'

let testServer: TestServer
let ann: TestUser

before(async () => {
  testServer = await openTestServer({ effects: false })
  ann = await testServer.createUser({ username: 'ann' })
  await testServer.createUser({ username: 'alice' })
  await createSigningRemoteAccount(testServer, { username: 'bob' })
})
after(() => testServer.close())

interface File {
  type: 'image' | 'video' | 'audio'
  description: string | null
  focus: { x: number; y: number } | null
  width: number
  height: number
}

const file = (...types: File['type'][]): fc.Arbitrary<File> =>
  fc.record({
    type: fc.constantFrom(...types),
    description: fc.option(
      fc.string({ unit: 'grapheme', maxLength: 50 }).map((text) => `x${text.replace(/\p{Cc}/gu, '')}`),
    ),
    focus: fc.option(
      fc.record({ x: fc.double({ min: -1, max: 1, noNaN: true }), y: fc.double({ min: -1, max: 1, noNaN: true }) }),
    ),
    width: fc.integer({ min: 1, max: 9_000 }),
    height: fc.integer({ min: 1, max: 9_000 }),
  })
const files = fc.oneof(fc.array(file('image'), { maxLength: 4 }), fc.array(file('video', 'audio'), { maxLength: 1 }))

const TYPES = { image: ['image/png', 'png'], video: ['video/mp4', 'mp4'], audio: ['audio/mpeg', 'mp3'] } as const

async function upload(one: File): Promise<string> {
  const [contentType, extension] = TYPES[one.type]
  const { id } = await testServer.ctx.db
    .insertInto('media_attachments')
    .values({
      account_id: ann.accountId,
      type: one.type,
      file_key: `media/ab/cd.${extension}`,
      preview_key: 'media/ab/cd-small.png',
      content_type: contentType,
      byte_size: '5',
      meta: JSON.stringify({
        original: { width: one.width, height: one.height },
        ...(one.focus && { focus: one.focus }),
      }),
      blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
      description: one.description,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('a note that is written and read again is unchanged', async () => {
  const draft = fc.record({
    text: fc
      .tuple(entityTexts, fc.constantFrom('x @alice', 'y @bob@remote.test', 'z #Élan', ''))
      .map((all) => all.join(' ')),
    spoilerText: fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 40 })),
    visibility: fc.constantFrom('public' as const, 'unlisted' as const, 'private' as const, 'direct' as const),
    sensitive: fc.boolean(),
    language: fc.constantFrom('en', 'de', 'ja', 'pt-BR', 'zh-TW'),
    files,
  })
  await fc.assert(
    fc.asyncProperty(draft, async ({ files, ...texts }) => {
      fc.pre(!isBlank(cleanText(texts.text)) || files.length > 0)
      const mediaIds: string[] = []
      for (const one of files) mediaIds.push(await upload(one))
      const statusId = await testServer.ctx.write((tx) =>
        createStatus(tx, {
          accountId: ann.accountId,
          applicationId: null,
          draft: { ...texts, mediaIds, localOnly: false },
        }),
      )
      const now = new Date()
      const row = await testServer.ctx.db
        .selectFrom('statuses')
        .selectAll()
        .where('id', '=', statusId)
        .executeTakeFirstOrThrow()
      const written = (await writeNotes(testServer.ctx, { ids: [statusId], now })).get(statusId)!
      const note = readNote(parseDocument(Buffer.from(withContext(NOTE_CONTEXT, written.json))), { now })

      assert.equal(note.content, sanitizeHtml(row.content))
      assert.equal(htmlToPlainText(note.content), htmlToPlainText(row.content))
      assert.equal(
        visibilityOf(note, { followersUrl: `https://linnet.test/ap/users/${ann.accountId}/followers` }),
        texts.visibility,
      )
      assert.deepEqual(
        [note.spoilerText, note.sensitive, note.language],
        [row.spoiler_text.trim(), row.sensitive, texts.language],
      )
      assert.deepEqual([note.uri, note.url, note.updatedAt], [row.uri, row.url, null])
      assert.equal(note.publishedAt?.getTime(), Math.floor(row.created_at.getTime() / 1000) * 1000)

      const mentioned = await testServer.ctx.db
        .selectFrom('mentions')
        .innerJoin('accounts', 'accounts.id', 'mentions.account_id')
        .select('accounts.uri')
        .where('status_id', '=', statusId)
        .execute()
      assert.deepEqual(new Set(note.mentions), new Set(mentioned.map(({ uri }) => uri)))
      for (const { uri } of mentioned) assert.ok([...note.to, ...note.cc].includes(uri))
      assert.deepEqual(new Set(note.hashtags.keys()), new Set(extractHashtags(row.text).map(({ name }) => name)))

      assert.deepEqual(
        note.attachments.map(({ type, description, focus, width, height }) => ({
          type,
          description,
          focus,
          width,
          height,
        })),
        files.map((one) => ({ ...one, focus: one.focus && { x: one.focus.x + 0, y: one.focus.y + 0 } })),
      )
      assert.ok(note.attachments.every(({ blurhash }) => blurhash === 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'))

      const create = writeCreate(testServer.ctx.config, { note: written })
      const activity = readActivity(parseDocument(Buffer.from(toDocument(create))), { now })
      assert.deepEqual(
        [activity.id, activity.actor, activity.to, activity.cc],
        [create.uri, note.attributedTo, note.to, note.cc],
      )
      assert.deepEqual(readNote(activity.object as never, { now }), note)
    }),
    { numRuns: 60 },
  )
})

test('a poll that is written and read again is unchanged', async () => {
  const poll = fc.record({
    options: fc.uniqueArray(
      fc
        .string({ minLength: 1, maxLength: 50 })
        .map((text) => text.replace(/\s+/g, ' ').trim())
        .filter(Boolean),
      {
        minLength: 2,
        maxLength: 4,
      },
    ),
    multiple: fc.boolean(),
    votes: fc.array(fc.nat(1_000), { minLength: 4, maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(poll, async ({ options, multiple, votes }) => {
      const now = new Date()
      const statusId = await testServer.ctx.write((tx) =>
        createStatus(tx, {
          accountId: ann.accountId,
          applicationId: null,
          draft: { text: 'which?', spoilerText: '', mediaIds: [], localOnly: false },
        }),
      )
      const tallies = votes.slice(0, options.length)
      const expiresAt = new Date('2030-01-01T00:00:00Z')
      await testServer.ctx.db
        .insertInto('polls')
        .values({
          status_id: statusId,
          account_id: ann.accountId,
          options,
          tallies,
          multiple,
          voters_count: 7,
          expires_at: expiresAt,
        })
        .execute()
      const written = (await writeNotes(testServer.ctx, { ids: [statusId], now })).get(statusId)!
      const note = readNote(parseDocument(Buffer.from(written.json)), { now })
      assert.deepEqual(note.poll, { options, tallies, multiple, votersCount: 7, expiresAt })
    }),
    { numRuns: 25 },
  )
})

test('an actor that is written and read again is unchanged', async () => {
  const { publicKeyPem, keyId } = await ensureActorKey(testServer.ctx, { accountId: ann.accountId })
  const profile = fc.record({
    display_name: fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replace(/\s+/g, ' ').trim()),
    note: entityTexts,
    locked: fc.boolean(),
    discoverable: fc.boolean(),
    indexable: fc.boolean(),
    actor_type: fc.constantFrom('Person', 'Service'),
    memorial: fc.boolean(),
    attribution_domains: fc.uniqueArray(fc.domain(), { maxLength: 5 }),
    show_media: fc.boolean(),
    show_media_replies: fc.boolean(),
    show_featured: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(profile, async (values) => {
      await testServer.ctx.db.updateTable('accounts').set(values).where('id', '=', ann.accountId).execute()
      const written = (await writeActor(testServer.ctx, { accountId: ann.accountId }))!
      const actor = readActor(parseDocument(Buffer.from(written)), { now: new Date() })
      assert.equal(actor.displayName, values.display_name || 'ann')
      assert.deepEqual(
        [actor.locked, actor.discoverable, actor.indexable, actor.type],
        [values.locked, values.discoverable, values.indexable, values.actor_type],
      )
      assert.deepEqual(
        [actor.showMedia, actor.showMediaReplies, actor.showFeatured, actor.memorial],
        [values.show_media, values.show_media_replies, values.show_featured, values.memorial],
      )
      assert.deepEqual(actor.attributionDomains, values.attribution_domains)
      assert.deepEqual(actor.handle, { username: 'ann', domain: 'linnet.test' })
      assert.deepEqual(actor.keys, [{ id: keyId, pem: publicKeyPem }])
      assert.equal(actor.followersUrl, `${actor.uri}/followers`)
    }),
    { numRuns: 30 },
  )
})
