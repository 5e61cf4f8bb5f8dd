// Slow: converts media.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import sharp from 'sharp'
import { multipart } from '../../../../../test/http/client.ts'
import { makeSample, noFfmpeg, SAMPLE_ARGUMENTS } from '../../../../../test/media/audio-video-samples.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { MediaAttachment } from '../../../../entities/statuses/media.ts'
import type { Status } from '../../../../entities/statuses/status.ts'
import { StorageFullError } from '../../../../platform/storage/storage.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
const red = await plain(640, 360, '#ff0000')
const green = await plain(1_000, 1_000, '#00ff00')
const blue = await plain(300, 100, '#0000ff')

type Parts = Parameters<typeof multipart>[0]
const asFile = (bytes: Buffer) => ({ filename: 'a', type: 'image/png', bytes })
const fileOf = (url: string) => testServer.server.inject({ url: new URL(url).pathname })
const mainColour = async (url: string) => {
  const { rawPayload } = await fileOf(url)
  const { dominant } = await sharp(rawPayload).stats()
  return [dominant.r, dominant.g, dominant.b].map((part) => Math.round(part / 255)).join('')
}

async function send(user: TestUser, method: 'POST' | 'PUT', url: string, parts: Parts) {
  const { payload, headers } = await multipart(parts)
  return user.client.send({ method, url, payload, headers })
}

test('a custom thumbnail is the preview of an upload until it is replaced', async () => {
  const anna = await testServer.createUser()
  const parts = { file: asFile(red), thumbnail: asFile(green) }
  const { body, status } = await send(anna, 'POST', '/api/v2/media', parts)
  assert.equal(status, 200)
  assert.deepEqual([await mainColour(body.url), await mainColour(body.preview_url)], ['100', '010'])
  assert.deepEqual(body.meta.original, { width: 640, height: 360, size: '640x360', aspect: 640 / 360 })
  assert.deepEqual(body.meta.small, { width: 480, height: 480, size: '480x480', aspect: 1 })

  const changed = await send(anna, 'PUT', `/api/v1/media/${body.id}`, { thumbnail: asFile(blue), focus: '1,1' })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  assert.equal(await mainColour(changed.body.preview_url), '001')
  assert.notEqual(changed.body.blurhash, body.blurhash)
  assert.deepEqual([changed.body.meta.small.size, changed.body.meta.focus], ['300x100', { x: 1, y: 1 }])
  await testServer.waitForJobs()
  assert.equal((await fileOf(body.preview_url)).statusCode, 404)
  assert.equal((await fileOf(body.url)).statusCode, 200)
})

test('an edit replaces the thumbnail, the description and the focus of an attachment', async () => {
  const anna = await testServer.createUser()
  const [first, second] = [
    (await send(anna, 'POST', '/api/v2/media', { file: asFile(red) })).body as MediaAttachment,
    (await send(anna, 'POST', '/api/v2/media', { file: asFile(red) })).body as MediaAttachment,
  ]
  const posted = await anna.client.post<Status>('/api/v1/statuses', { status: 'x', media_ids: [first.id, second.id] })
  const edited = await send(anna, 'PUT', `/api/v1/statuses/${posted.body.id}`, {
    status: 'x',
    'media_ids[0]': first.id,
    'media_ids[1]': second.id,
    'media_attributes[0][id]': second.id,
    'media_attributes[0][description]': 'Blue',
    'media_attributes[0][focus]': '-1,0.5',
    'media_attributes[0][thumbnail]': asFile(blue),
  })
  assert.equal(edited.status, 200, JSON.stringify(edited.body))
  const [unchanged, changed] = (edited.body as Status).media_attachments
  assert.deepEqual(unchanged, first)
  assert.deepEqual([changed?.description, changed?.meta?.focus], ['Blue', { x: -1, y: 0.5 }])
  assert.equal(await mainColour(changed!.preview_url!), '001')
  assert.equal(changed?.url, second.url)
  assert.notEqual(edited.body.edited_at, null)
  await testServer.waitForJobs()
  assert.equal((await fileOf(second.preview_url!)).statusCode, 404)

  const rejected = await send(anna, 'PUT', `/api/v1/statuses/${posted.body.id}`, {
    status: 'y',
    'media_ids[0]': first.id,
    'media_attributes[0][id]': first.id,
    'media_attributes[0][thumbnail]': asFile(Buffer.from('<svg/>')),
  })
  assert.equal(rejected.status, 422)
  const after = await anna.client.get<Status>(`/api/v1/statuses/${posted.body.id}`)
  assert.deepEqual(after.body.content, (edited.body as Status).content)
})

suite('a video or an audio file', { skip: noFfmpeg, timeout: 300_000 }, () => {
  test('keeps its custom thumbnail after the processing', async () => {
    const anna = await testServer.createUser()
    for (const sample of [SAMPLE_ARGUMENTS.mp4, SAMPLE_ARGUMENTS.mp3, SAMPLE_ARGUMENTS.wav]) {
      const parts = { file: asFile(await makeSample(sample)), thumbnail: asFile(green) }
      const { body, status } = await send(anna, 'POST', '/api/v1/media', parts)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(await mainColour(body.preview_url), '010')
      assert.equal(body.meta.small.size, '480x480')
      assert.equal(body.meta.colors.background, '#00ff00')
    }
  })

  test('has the colors of its custom thumbnail instead of those of its cover', async () => {
    const anna = await testServer.createUser()
    const file = asFile(await makeSample(SAMPLE_ARGUMENTS.mp3))
    const { body } = await send(anna, 'POST', '/api/v1/media', { file })
    assert.equal(body.meta.colors.background, '#fd0000')
    const changed = await send(anna, 'PUT', `/api/v1/media/${body.id}`, { thumbnail: asFile(blue) })
    const expected = { background: '#0000ff', foreground: '#ffffff', accent: '#ffffff' }
    assert.deepEqual(changed.body.meta.colors, expected)
  })
})

test('ME7: the owner can delete an upload that no status uses', async () => {
  const [anna, ben] = [await testServer.createUser(), await testServer.createUser()]
  const { body } = await send(anna, 'POST', '/api/v2/media', { file: asFile(red) })
  assert.equal((await ben.client.delete(`/api/v1/media/${body.id}`)).status, 404)
  const deleted = await anna.client.delete(`/api/v1/media/${body.id}`)
  assert.deepEqual([deleted.status, deleted.body], [200, {}])
  assert.equal((await anna.client.get(`/api/v1/media/${body.id}`)).status, 404)
  assert.equal((await anna.client.delete(`/api/v1/media/${body.id}`)).status, 404)
  await testServer.waitForJobs()
  for (const url of [body.url, body.preview_url]) assert.equal((await fileOf(url)).statusCode, 404)

  const [attached, scheduled] = [
    (await send(anna, 'POST', '/api/v2/media', { file: asFile(red) })).body as MediaAttachment,
    (await send(anna, 'POST', '/api/v2/media', { file: asFile(red) })).body as MediaAttachment,
  ]
  await anna.client.post('/api/v1/statuses', { status: 'x', media_ids: [attached.id] })
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
  await anna.client.post('/api/v1/statuses', { status: 'x', media_ids: [scheduled.id], scheduled_at })
  for (const { id } of [attached, scheduled]) {
    const { status, body } = await anna.client.delete(`/api/v1/media/${id}`)
    assert.deepEqual([status, body], [422, { error: 'Media attachment is currently used by a status' }])
  }
  const described = await anna.client.put(`/api/v1/media/${scheduled.id}`, { description: 'Red' })
  assert.deepEqual([described.status, described.body.description], [200, 'Red'])
})

test('ME7: of four concurrent statuses with the same upload, one is posted', async () => {
  const anna = await testServer.createUser()
  const { body } = await send(anna, 'POST', '/api/v2/media', { file: asFile(red) })
  const posts = await Promise.all(
    [1, 2, 3, 4].map((n) => anna.client.post('/api/v1/statuses', { status: `${n}`, media_ids: [body.id] })),
  )
  assert.deepEqual(
    posts.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 422, 422, 422],
  )
})

test('ME8: with a full disk an upload gets 507 and leaves no row and no file', async (t) => {
  const anna = await testServer.createUser()
  const storedKeys: string[] = []
  const { put } = testServer.ctx.storage
  t.mock.method(testServer.ctx.storage, 'put', async (input: Parameters<typeof put>[0]) => {
    if (/-small/.test(input.key)) throw new StorageFullError(new Error('ENOSPC'))
    storedKeys.push(input.key)
    return put(input)
  })
  const { status, body } = await send(anna, 'POST', '/api/v2/media', { file: asFile(red) })
  assert.deepEqual([status, body], [507, { error: 'There is no room left to store the file' }])
  const rows = await testServer.ctx.db
    .selectFrom('media_attachments')
    .select('id')
    .where('account_id', '=', anna.accountId)
    .execute()
  assert.deepEqual([rows, storedKeys.length], [[], 1])
  assert.equal(await testServer.ctx.storage.open({ key: storedKeys[0]! }), null)
  assert.equal((await anna.client.post('/api/v1/statuses', { status: 'only text' })).status, 200)
})
