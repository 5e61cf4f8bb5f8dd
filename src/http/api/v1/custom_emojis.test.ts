import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { findPort } from '../../../../test/linnet.ts'
import { until } from '../../../../test/streams.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import { keepEmoji } from '../../../domain/emojis/keep.ts'
import { removeEmoji } from '../../../domain/emojis/remove.ts'
import type { CustomEmoji } from '../../../entities/emoji.ts'
import type { Status, StatusEdit } from '../../../entities/status.ts'

const port = await findPort()
const domain = `localhost:${port}`
const world = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(world.close)
const origin = await world.listen()
const { ctx } = world
const alice = await world.createPerson()

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

const keep = (
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
) => keepEmoji(ctx, { shortcode, picture: { buffer }, category, listed, replaces })
const remove = (shortcode: string) => ctx.write((tx) => removeEmoji(tx, { shortcode }))
const codes = (emojis: readonly CustomEmoji[]) => emojis.map(({ shortcode }) => shortcode)
const fetchFile = async (url: string) => world.server.inject(url.replace(origin.replace('127.0.0.1', 'localhost'), ''))
const post = async (body: object) => {
  const answer = await alice.client.post<Status>('/api/v1/statuses', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const document = async (uri: string) =>
  (await world.anonymous.send({ url: new URL(uri).pathname, headers: { accept: 'application/activity+json' } })).body

/** The list as apps get it, once it is so: what was read counts for a second. */
async function list(wanted: readonly string[]): Promise<CustomEmoji[]> {
  let asked = 0
  let seen: CustomEmoji[] = []
  const isSo = async () => {
    asked += 1
    // Each time from elsewhere, so that no throttle minds.
    const remoteAddress = `10.0.${asked >> 8}.${asked & 255}`
    const { status, body, headers } = await world.anonymous.send({ url: '/api/v1/custom_emojis', remoteAddress })
    assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=300'])
    seen = body
    return codes(seen).join() === wanted.join()
  }
  await until(isSo).catch(() => assert.deepEqual(codes(seen), wanted))
  return seen
}

test('the list has what apps may offer, with categories and pictures that stand still', async () => {
  await keep('bird', { category: 'Animals' })
  await keep('wave', { buffer: gif })
  await keep('secret', { listed: false })
  const [bird, wave] = await list(['bird', 'wave'])
  for (const emoji of [bird, wave]) assertOnWire('CustomEmoji', emoji)
  assert.deepEqual([bird!.category, wave!.category], ['Animals', undefined])
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

test('an emoji of the same name is left alone unless it shall be replaced, and its files go with it', async () => {
  assert.equal(await keep('twice'), 'added')
  const find = async () => (await list(['bird', 'twice', 'wave'])).find(({ shortcode }) => shortcode === 'twice')!
  const before = await find()
  const status = await post({ status: ':twice:' })
  assert.equal(await keep('twice', { buffer: gif }), 'known')
  assert.equal((await find()).url, before.url)
  assert.equal(await keep('twice', { buffer: gif, replaces: true }), 'replaced')
  await world.settle()
  assert.equal((await fetchFile(before.url)).statusCode, 404)
  const { body } = await world.anonymous.get<Status>(`/api/v1/statuses/${status.id}`)
  assert.match(body.emojis[0]!.url, /\.gif$/)
  await remove('twice')
  await world.settle()
  assert.equal((await fetchFile(body.emojis[0]!.url)).statusCode, 404)
  assert.deepEqual((await world.anonymous.get<Status>(`/api/v1/statuses/${status.id}`)).body.emojis, [])
  await list(['bird', 'wave'])
})

test('what is no picture, too large or wrongly named becomes no emoji, and leaves no file', async () => {
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
  for (const [code, buffer, message] of [
    ['big', noise, /size must be less than/],
    ['photo', jpeg, /could not be verified/],
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /could not be verified/],
    ['a', png, /A code has 2 to 128/],
    ['a-b', png, /A code has 2 to 128/],
    ['../x', png, /A code has 2 to 128/],
  ] as const) {
    await assert.rejects(keep(code, { buffer }), { message }, code)
  }
  await assert.rejects(keep('long', { category: 'x'.repeat(101) }), /at most 100 characters/)
  await list(['bird', 'wave'])
})

test('codes in posts, warnings and polls are told with the post, in its history, and to other servers', async () => {
  const status = await post({ status: 'A :bird: and :nobody:', spoiler_text: ':wave:' })
  assert.deepEqual(codes(status.emojis), ['bird', 'wave'])
  assert.match(status.content!, />A :bird: and :nobody:</)
  const { tag } = await document(status.uri)
  assert.deepEqual(
    (tag as { type: string; name: string; icon: { mediaType: string } }[]).map((one) => [
      one.type,
      one.name,
      one.icon.mediaType,
    ]),
    [
      ['Emoji', ':bird:', 'image/png'],
      ['Emoji', ':wave:', 'image/gif'],
    ],
  )
  const poll = await post({ status: 'Which?', poll: { options: ['the :bird:', 'none'], expires_in: 600 } })
  assert.deepEqual([codes(poll.emojis), codes(poll.poll!.emojis)], [['bird'], ['bird']])

  const { body: edited } = await alice.client.put<Status>(`/api/v1/statuses/${status.id}`, { status: 'No more' })
  assert.deepEqual(edited.emojis, [])
  const { body: history } = await alice.client.get<StatusEdit[]>(`/api/v1/statuses/${status.id}/history`)
  assert.deepEqual(
    history.map((version) => codes(version.emojis)),
    [['bird', 'wave'], []],
  )
  const unlisted = await post({ status: ':secret:' })
  assert.deepEqual([codes(unlisted.emojis), unlisted.emojis[0]!.visible_in_picker], [['secret'], false])
})

test('codes in names, notes and fields are told with the profile, here and elsewhere', async () => {
  const { body } = await alice.client.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Alice :bird:',
    note: 'Hello :wave:',
    fields_attributes: [{ name: ':secret:', value: 'x' }],
  })
  assert.deepEqual(codes(body.emojis), ['bird', 'secret', 'wave'])
  const actor = await document(body.uri)
  const names = (actor.tag as { type: string; name: string }[])
    .filter(({ type }) => type === 'Emoji')
    .map(({ name }) => name)
  assert.deepEqual(names.toSorted(), [':bird:', ':secret:', ':wave:'])
  const later = await alice.client.patch('/api/v1/accounts/update_credentials', { note: '' })
  assert.deepEqual(codes(later.body.emojis), ['bird', 'secret'])
  const last = await alice.client.patch('/api/v1/accounts/update_credentials', { indexable: true })
  assert.deepEqual(codes(last.body.emojis), ['bird', 'secret'])
})

test('HT5: a code within an address is no emoji, and no address is changed by one beside it', async () => {
  const linked = await post({ status: 'https://example.org/:bird:/x' })
  assert.deepEqual(linked.emojis, [])
  const both = await post({ status: ':wave: https://example.org/:wave:/x' })
  assert.deepEqual(codes(both.emojis), ['wave'])
  assert.match(both.content!, /href="https:\/\/example\.org\/:wave:\/x"/)
  assert.doesNotMatch(both.content!, /<img/)
  const { body: page } = await world.anonymous.send({
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
