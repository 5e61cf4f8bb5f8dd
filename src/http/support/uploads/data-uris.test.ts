import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { multipart } from '../../../../test/http/client.ts'
import { uploadFile } from '../../../../test/http/upload-file.ts'
import { createImage } from '../../../../test/media/images.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { THROTTLES } from '../rate-limits/throttles.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const PROFILE = '/api/v1/accounts/update_credentials'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const red = await createImage('png', { background: '#ff0000' })
const blue = await createImage('jpeg', { background: '#0000ff' })
const dataUri = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`

/** Returns the main colour of a local image: `100` for red, `001` for blue. */
async function colourOf(url: string): Promise<string> {
  const { rawPayload } = await testServer.server.inject({ url: new URL(url).pathname })
  const { dominant } = await sharp(rawPayload).stats()
  return [dominant.r, dominant.g, dominant.b].map((part) => Math.round(part / 255)).join('')
}

const patch = (user: TestUser, payload: string | Buffer | object, headers: Record<string, string> = {}) =>
  user.client.send({ method: 'PATCH', url: PROFILE, payload, headers })

test('an avatar and a header may be data URIs in JSON, in a form and in a multipart form', async () => {
  const images = { avatar: dataUri(red), header: dataUri(blue, 'image/jpeg') }
  const form = await multipart(images)
  for (const [payload, headers] of [
    [images, {}],
    [new URLSearchParams(images).toString(), FORM],
    [form.payload, form.headers],
  ] as const) {
    const user = await testServer.createUser()
    const { status, body } = await patch(user, payload, headers)
    assert.equal(status, 200)
    assert.deepEqual([await colourOf(body.avatar), await colourOf(body.header)], ['100', '001'])
  }
})

test('an upload and the thumbnail of an edited attachment may be data URIs', async () => {
  const anna = await testServer.createUser()
  const uploaded = await anna.client.post('/api/v2/media', { file: dataUri(red), description: 'Red' })
  assert.deepEqual([uploaded.status, uploaded.body.description], [200, 'Red'])
  assert.equal(await colourOf(uploaded.body.url), '100')
  const { body: second } = await uploadFile(anna, red)
  const ids = [uploaded.body.id, second.id]
  const { body: posted } = await anna.client.post('/api/v1/statuses', { media_ids: ids })
  const edited = await anna.client.put(`/api/v1/statuses/${posted.id}`, {
    media_ids: ids,
    media_attributes: [{ id: second.id, description: 'Blue', thumbnail: dataUri(blue) }],
  })
  const [first, changed] = edited.body.media_attachments
  assert.deepEqual([first.description, changed.description], ['Red', 'Blue'])
  assert.equal(await colourOf(first.preview_url), '100')
  assert.equal(await colourOf(changed.preview_url), '001')
})

test('other texts are no files, and a data URI that is no image is refused', async () => {
  const anna = await testServer.createUser()
  const { body: before } = await anna.client.get('/api/v1/accounts/verify_credentials')
  for (const avatar of ['', 'null', 'data:,x', 'https://example.com/a.png', ` ${dataUri(red)}`, [dataUri(red)]]) {
    const { status, body } = await patch(anna, { avatar })
    assert.deepEqual([status, body.avatar], [200, before.avatar], String(avatar))
  }
  for (const avatar of ['data:;base64,', dataUri(Buffer.from('<svg/>')), 'data:image/png;base64,%%%'])
    assert.equal((await patch(anna, { avatar })).status, 422, avatar)
  const { body } = await patch(anna, { note: dataUri(Buffer.from('x')), display_name: 'data:;base64,eA==' })
  assert.deepEqual([body.source.note, body.display_name], [dataUri(Buffer.from('x')), 'data:;base64,eA=='])
})

test('data URIs count as files: against the throttle, the limit in a request and the space for uploads', async () => {
  const anna = await testServer.createUser()
  const thumbnails = Array.from({ length: 5 }, () => ({ id: '1', thumbnail: dataUri(red) }))
  const tooMany = await anna.client.put('/api/v1/statuses/1', { media_attributes: thumbnails })
  assert.equal(tooMany.status, 413)
  const key = `account:${anna.accountId}`
  for (let n = 0; n < THROTTLES.media.limit; n += 1)
    await testServer.ctx.rateLimiter.take(THROTTLES.media, key, new Date())
  assert.equal((await patch(anna, { avatar: dataUri(red) })).status, 429)
  assert.equal((await patch(anna, { note: 'x' })).status, 200)
  assert.deepEqual(await readdir(join(testServer.ctx.config.dataDir, 'uploads')), [])
})
