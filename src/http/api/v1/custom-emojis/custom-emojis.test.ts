import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { untilLockWaits } from '../../../../../test/features/lock-waits.ts'
import { until } from '../../../../../test/streaming/streams.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import { saveEmoji } from '../../../../domain/emojis/save-emoji.ts'
import { removeEmoji } from '../../../../domain/emojis/remove-emoji.ts'
import type { CustomEmoji } from '../../../../entities/statuses/emoji.ts'
import type { Status, StatusEdit } from '../../../../entities/statuses/status.ts'

const port = await findPort()
const domain = `localhost:${port}`
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(testServer.close)
const origin = await testServer.listen()
const { ctx } = testServer
const alice = await testServer.createUser()

const square = (side: number) => sharp({ create: { width: side, height: side, channels: 4, background: 'teal' } })
const png = await square(64).png().toBuffer()
const frames = await Promise.all(['red', 'blue'].map((background) => plain(background)))
const gif = await sharp(Buffer.concat(frames), { raw: { width: 32, height: 64, channels: 3, pageHeight: 32 } })
  .gif({ delay: [50, 70] })
  .toBuffer()

function plain(background: string): Promise<Buffer> {
  return sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .raw()
    .toBuffer()
}

const addEmoji = async (
  shortcode: string,
  {
    buffer = png,
    category = null,
    listed = true,
    replaces = false,
  }: Partial<Record<'buffer', Buffer>> & {
    category?: string | null
    listed?: boolean
    replaces?: boolean
  } = {},
) => {
  const saved = await saveEmoji(ctx, { by: null, shortcode, image: { buffer }, category, listed, replaces })
  return saved.outcome
}
const remove = (shortcode: string) => ctx.write((tx) => removeEmoji(tx, { by: null, shortcode }))
const shortcodes = (emojis: readonly CustomEmoji[]) => emojis.map(({ shortcode }) => shortcode)
const fetchFile = async (url: string) =>
  testServer.server.inject(url.replace(origin.replace('127.0.0.1', 'localhost'), ''))
const post = async (body: object) => {
  const response = await alice.client.post<Status>('/api/v1/statuses', body)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}
const readActivityPubObject = async (uri: string) =>
  (await testServer.anonymous.send({ url: new URL(uri).pathname, headers: { accept: 'application/activity+json' } }))
    .body

/** Polls the list until it has the expected shortcodes: the server caches it for a moment. */
async function list(expected: readonly string[]): Promise<CustomEmoji[]> {
  let requestCount = 0
  let emojis: CustomEmoji[] = []
  const isExpected = async () => {
    requestCount += 1
    // Each request comes from another address, so that no throttle applies.
    const remoteAddress = `10.0.${requestCount >> 8}.${requestCount & 255}`
    const { status, body, headers } = await testServer.anonymous.send({ url: '/api/v1/custom_emojis', remoteAddress })
    assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=300'])
    emojis = body
    return shortcodes(emojis).join() === expected.join()
  }
  await until(isExpected).catch(() => assert.deepEqual(shortcodes(emojis), expected))
  return emojis
}

test('the list has the emojis of the picker, with categories and static images', async () => {
  await addEmoji('bird', { category: 'Animals' })
  await addEmoji('wave', { buffer: gif })
  await addEmoji('secret', { listed: false })
  const [bird, wave] = await list(['bird', 'wave'])
  for (const emoji of [bird, wave]) assertEntity('CustomEmoji', emoji)
  assert.deepEqual(
    [bird, wave].map((emoji) => [emoji!.category, emoji!.featured]),
    [
      ['Animals', false],
      [undefined, undefined],
    ],
  )
  assert.equal(bird!.url, bird!.static_url)
  const files = await Promise.all([wave!.url, wave!.static_url].map(fetchFile))
  assert.deepEqual(
    files.map((file) => [file.statusCode, file.headers['content-type']]),
    [
      [200, 'image/gif'],
      [200, 'image/png'],
    ],
  )
  const [moving, still] = await Promise.all(files.map((file) => sharp(file.rawPayload).metadata()))
  assert.deepEqual([moving!.pages, still!.pages, still!.width], [2, undefined, 32])
})

test('an emoji is replaced only on request; the files of a replaced or removed emoji are deleted', async () => {
  assert.equal(await addEmoji('twice'), 'added')
  const find = async () => (await list(['bird', 'twice', 'wave'])).find(({ shortcode }) => shortcode === 'twice')!
  const before = await find()
  const status = await post({ status: ':twice:' })
  assert.equal(await addEmoji('twice', { buffer: gif }), 'unchanged')
  assert.equal((await find()).url, before.url)
  assert.equal(await addEmoji('twice', { buffer: gif, replaces: true }), 'replaced')
  await testServer.waitForJobs()
  assert.equal((await fetchFile(before.url)).statusCode, 404)
  const { body } = await testServer.anonymous.get<Status>(`/api/v1/statuses/${status.id}`)
  assert.match(body.emojis[0]!.url, /\.gif$/)
  await remove('twice')
  await testServer.waitForJobs()
  assert.equal((await fetchFile(body.emojis[0]!.url)).statusCode, 404)
  assert.deepEqual((await testServer.anonymous.get<Status>(`/api/v1/statuses/${status.id}`)).body.emojis, [])
  await list(['bird', 'wave'])
})

test('of two images that are saved at once with a new shortcode, the second replaces the first and its file', async () => {
  const { db } = ctx
  const release = Promise.withResolvers<void>()
  // The lock permits both to read, and prevents that one of them commits before the other has read.
  const blocking = db.transaction(async (trx) => {
    await sql`lock table custom_emojis in share mode`.execute(trx)
    await release.promise
  })
  const saving = [png, gif].map((buffer) => addEmoji('twice', { buffer, replaces: true }))
  await untilLockWaits(testServer, 2)
  release.resolve()
  await blocking
  assert.deepEqual((await Promise.all(saving)).toSorted(), ['added', 'replaced'])
  await testServer.waitForJobs()
  const { rows } = await sql<{ key: string }>`
    select distinct unnest(array[image_key, static_image_key]) as key from custom_emojis order by 1`.execute(db)
  const stored: string[] = []
  for await (const { key } of ctx.storage.list({ folder: 'emojis' })) stored.push(key)
  assert.deepEqual(
    stored.toSorted(),
    rows.map(({ key }) => key),
  )
  await remove('twice')
})

test('an invalid image or shortcode is rejected and leaves no file', async () => {
  const noise = await sharp({
    create: {
      width: 600,
      height: 600,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
  const jpeg = await square(32).flatten().jpeg().toBuffer()
  for (const [shortcode, buffer, message] of [
    ['big', noise, /size must be less than 0\.25 MB$/],
    ['photo', jpeg, /could not be verified/],
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /could not be verified/],
    ['a', png, /Shortcode must have 2 to 128/],
    ['a-b', png, /Shortcode must have 2 to 128/],
    ['../x', png, /Shortcode must have 2 to 128/],
  ] as const) {
    await assert.rejects(addEmoji(shortcode, { buffer }), { message }, shortcode)
  }
  await assert.rejects(addEmoji('long', { category: 'x'.repeat(101) }), /maximum is 100 characters/)
  await list(['bird', 'wave'])
})

test('emojis of text, content warning and poll are in the status, its history and its ActivityPub object', async () => {
  const status = await post({ status: 'A :bird: and :nobody:', spoiler_text: ':wave:' })
  assert.deepEqual(shortcodes(status.emojis), ['bird', 'wave'])
  assert.match(status.content!, />A :bird: and :nobody:</)
  const { tag } = await readActivityPubObject(status.uri)
  assert.deepEqual(
    (tag as { type: string; name: string; icon: { mediaType: string } }[]).map(({ type, name, icon }) => [
      type,
      name,
      icon.mediaType,
    ]),
    [
      ['Emoji', ':bird:', 'image/png'],
      ['Emoji', ':wave:', 'image/gif'],
    ],
  )
  const poll = await post({ status: 'Which?', poll: { options: ['the :bird:', 'none'], expires_in: 600 } })
  assert.deepEqual([shortcodes(poll.emojis), shortcodes(poll.poll!.emojis)], [['bird'], ['bird']])

  const { body: edited } = await alice.client.put<Status>(`/api/v1/statuses/${status.id}`, { status: 'No more' })
  assert.deepEqual(edited.emojis, [])
  const { body: history } = await alice.client.get<StatusEdit[]>(`/api/v1/statuses/${status.id}/history`)
  assert.deepEqual(
    history.map((version) => shortcodes(version.emojis)),
    [['bird', 'wave'], []],
  )
  const unlisted = await post({ status: ':secret:' })
  assert.deepEqual([shortcodes(unlisted.emojis), unlisted.emojis[0]!.visible_in_picker], [['secret'], false])
})

test('emojis of name, note and fields are in the account and its ActivityPub actor', async () => {
  const { body } = await alice.client.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Alice :bird:',
    note: 'Hello :wave:',
    fields_attributes: [{ name: ':secret:', value: 'x' }],
  })
  assert.deepEqual(shortcodes(body.emojis), ['bird', 'secret', 'wave'])
  const actor = await readActivityPubObject(body.uri)
  const names = (actor.tag as { type: string; name: string }[])
    .filter(({ type }) => type === 'Emoji')
    .map(({ name }) => name)
  assert.deepEqual(names.toSorted(), [':bird:', ':secret:', ':wave:'])
  const later = await alice.client.patch('/api/v1/accounts/update_credentials', { note: '' })
  assert.deepEqual(shortcodes(later.body.emojis), ['bird', 'secret'])
  const last = await alice.client.patch('/api/v1/accounts/update_credentials', { indexable: true })
  assert.deepEqual(shortcodes(last.body.emojis), ['bird', 'secret'])
})

test('HT5: a shortcode within a URL is no emoji, and emojis in the text do not change URLs', async () => {
  const linked = await post({ status: 'https://example.org/:bird:/x' })
  assert.deepEqual(linked.emojis, [])
  const both = await post({ status: ':wave: https://example.org/:wave:/x' })
  assert.deepEqual(shortcodes(both.emojis), ['wave'])
  assert.match(both.content!, /href="https:\/\/example\.org\/:wave:\/x"/)
  assert.doesNotMatch(both.content!, /<img/)
  const { body: page } = await testServer.anonymous.send({
    url: `/@${alice.username}/${both.id}`,
    headers: { accept: 'text/html' },
  })
  assert.match(page, /<img\s+class="emoji"[^>]+alt=":wave:"/)
  assert.match(page, /href="https:\/\/example\.org\/:wave:\/x"/)
})

test('masto.js reads the custom emojis', async () => {
  const emojis = await createRestAPIClient({ url: `http://${domain}` }).v1.customEmojis.list()
  assert.deepEqual(
    emojis.map(({ shortcode, category }) => [shortcode, category]),
    [
      ['bird', 'Animals'],
      ['wave', undefined],
    ],
  )
})
