import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { multipart } from '../../../../../test/http/client.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { MediaAttachment } from '../../../../entities/statuses/media.ts'
import { removeOrphans } from '../../../../domain/media/remove-files.ts'

let hours = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + hours * 3_600_000) })
after(testServer.close)

const image = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#a92449' } })
  .jpeg()
  .withExifMerge({ IFD0: { Artist: 'Secret Name' } })
  .toBuffer()

async function upload(user: TestUser, fields: Record<string, string> = {}, path = '/api/v2/media', bytes = image) {
  const form = await multipart({ file: { filename: '../../evil.php', type: 'text/html', bytes }, ...fields })
  return user.client.post<MediaAttachment>(path, form.payload, form.headers)
}

const fileOf = (url: string) => testServer.server.inject({ url: new URL(url).pathname })

test('an image is uploaded with a description, attached, visible to others and deleted with its status', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const uploaded = await upload(alice, { description: 'A red field', focus: '0.5,-2' })
  assert.equal(uploaded.status, 200, JSON.stringify(uploaded.body))
  assertEntity('MediaAttachment', uploaded.body)
  const { id, url, meta, description, blurhash } = uploaded.body
  assert.equal(description, 'A red field')
  assert.deepEqual(meta?.focus, { x: 0.5, y: -1 })
  assert.deepEqual(meta?.original, { width: 640, height: 360, size: '640x360', aspect: 640 / 360 })
  assert.ok(blurhash)

  const changed = await alice.client.put<MediaAttachment>(`/api/v1/media/${id}`, {
    description: 'Scarlet',
    focus: '0,0',
  })
  assert.deepEqual([changed.body.description, changed.body.meta?.focus], ['Scarlet', { x: 0, y: 0 }])
  const posted = await alice.client.post('/api/v1/statuses', { media_ids: [id] })
  assert.deepEqual(posted.body.media_attachments, [changed.body])
  const seen = await bob.client.get(`/api/v1/statuses/${posted.body.id}`)
  assert.equal(seen.body.media_attachments[0].description, 'Scarlet')

  const file = await fileOf(url!)
  assert.equal(file.headers['content-type'], 'image/jpeg')
  assert.deepEqual(
    await sharp(file.rawPayload)
      .metadata()
      .then(({ width, exif }) => [width, exif]),
    [640, undefined],
  )

  await alice.client.delete(`/api/v1/statuses/${posted.body.id}`, { delete_media: true })
  await testServer.waitForJobs()
  assert.equal((await fileOf(url!)).statusCode, 404)
})

test('the first version of the upload is deprecated', async () => {
  const alice = await testServer.createUser()
  assert.equal((await upload(alice, {}, '/api/v1/media')).headers['deprecation'], '@1586044800')
  assert.equal((await upload(alice)).headers['deprecation'], undefined)
})

test('S an attached upload cannot be changed, and uploads of other users get 404', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const { body } = await upload(alice, {}, '/api/v1/media')
  const unknown = await bob.client.put('/api/v1/media/999999', { description: 'x' })
  for (const method of ['get', 'put'] as const) {
    const response = await bob.client[method](
      `/api/v1/media/${body.id}`,
      method === 'put' ? { description: 'x' } : undefined,
    )
    assert.deepEqual([response.status, response.body], [404, unknown.body])
  }
  await alice.client.post('/api/v1/statuses', { status: 'x', media_ids: [body.id] })
  assert.equal((await alice.client.put(`/api/v1/media/${body.id}`, { description: 'late' })).status, 404)
  assert.equal((await alice.client.get(`/api/v1/media/${body.id}`)).status, 404)
})

test('a status may have at most four images', async () => {
  const alice = await testServer.createUser()
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await upload(alice)).body.id))
  const five = await alice.client.post('/api/v1/statuses', { media_ids: ids })
  assert.deepEqual([five.status, five.body.error], [422, 'Cannot attach more than 4 files'])
  const four = await alice.client.post('/api/v1/statuses', { media_ids: ids.slice(1) })
  assert.deepEqual(
    four.body.media_attachments.map(({ id }: { id: string }) => id),
    ids.slice(1),
  )
})

test('ME2 a file that is no media is rejected whatever its name, and a missing file is reported', async () => {
  const alice = await testServer.createUser()
  const page = await upload(alice, {}, '/api/v2/media', Buffer.from('<html><script>alert(1)</script></html>'))
  assert.deepEqual([page.status, page.body], [422, { error: 'File type of uploaded media could not be verified' }])
  const none = await alice.client.post('/api/v2/media', { description: 'x' })
  assert.deepEqual([none.status, none.body.error], [400, 'param is missing or the value is empty or invalid: file'])
})

test('ME9 a description that is too long is rejected, an invalid focus ignored', async () => {
  const alice = await testServer.createUser()
  const long = await upload(alice, { description: 'x'.repeat(10_001) })
  assert.equal(long.status, 422)
  const invalidFocus = await upload(alice, { focus: 'NaN,Infinity' })
  assert.deepEqual([invalidFocus.status, invalidFocus.body.meta?.focus], [200, undefined])
})

test('VI10 ME2 URLs of files cannot be guessed, and files cannot run scripts', async () => {
  const alice = await testServer.createUser()
  const { body } = await upload(alice)
  assert.match(body.url!, /\/system\/media\/[0-9a-f]{2}\/[0-9a-f]{32}\.jpg$/)
  const { headers } = await fileOf(body.url!)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox; frame-ancestors 'none'")
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  for (const path of ['/system/../secrets.json', '/system/%2e%2e/secrets.json', '/system/media', '/system/']) {
    assert.equal((await testServer.server.inject({ url: path })).statusCode, 404, path)
  }
})

test('VI10 404= another user cannot reach an upload: unattached, scheduled or of a deleted status', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const [unattached, scheduled, detached, deleted] = await Promise.all(
    Array.from({ length: 4 }, async () => (await upload(alice)).body),
  )
  const post = (user: TestUser, id: string, more: object = {}) =>
    user.client.post('/api/v1/statuses', { status: 'x', media_ids: [id], ...more })
  const at = new Date(Date.now() + (hours + 1) * 3_600_000).toISOString()
  assert.equal((await post(alice, scheduled!.id, { scheduled_at: at })).status, 200)
  for (const [{ id }, more] of [
    [detached!, {}],
    [deleted!, { delete_media: true }],
  ] as const) {
    const { body } = await post(alice, id)
    assert.equal((await alice.client.delete(`/api/v1/statuses/${body.id}`, more)).status, 200)
  }
  await testServer.waitForJobs()
  for (const { id, url } of [unattached!, scheduled!, detached!, deleted!]) {
    for (const [method, payload] of [['GET'], ['PUT', { description: 'mine' }], ['DELETE']] as const) {
      const request = (mediaId: string) =>
        bob.client.send({ method, url: `/api/v1/media/${mediaId}`, ...(payload && { payload }) })
      const [foreign, unknown] = [await request(id), await request('999999')]
      assert.deepEqual([foreign.status, foreign.body], [404, unknown.body], method)
      assert.equal((await testServer.anonymous.send({ method, url: `/api/v1/media/${id}` })).status, 401)
    }
    const [foreign, unknown] = [await post(bob, id), await post(bob, '999999')]
    assert.deepEqual([foreign.status, foreign.body.error.replace(id, '999999')], [422, unknown.body.error])
    // Most of a URL is not enough to read the file.
    const digit = url!.at(-5) === '0' ? '1' : '0'
    for (const guess of [url!.replace(/.(?=\.jpg$)/, digit), url!.replace(/[0-9a-f]{32}/, id)]) {
      assert.equal((await fileOf(guess)).statusCode, 404, guess)
    }
  }
  const responses = await Promise.all(
    [unattached!, scheduled!, detached!].map(({ id }) => alice.client.get(`/api/v1/media/${id}`)),
  )
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.description]),
    Array.from({ length: 3 }, () => [200, null]),
  )
  assert.equal((await alice.client.get(`/api/v1/media/${deleted!.id}`)).status, 404)
  assert.equal((await fileOf(deleted!.url!)).statusCode, 404)
})

test('a file supports a single range and conditional requests', async () => {
  const alice = await testServer.createUser()
  const { body } = await upload(alice)
  const { pathname: url } = new URL(body.url!)
  const whole = await testServer.server.inject({ url })
  const part = await testServer.server.inject({ url, headers: { range: 'bytes=2-5' } })
  assert.deepEqual([part.statusCode, part.rawPayload], [206, whole.rawPayload.subarray(2, 6)])
  assert.equal(part.headers['content-range'], `bytes 2-5/${whole.rawPayload.length}`)
  const beyond = await testServer.server.inject({ url, headers: { range: `bytes=${whole.rawPayload.length}-` } })
  assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, `bytes */${whole.rawPayload.length}`])
  const many = await testServer.server.inject({ url, headers: { range: 'bytes=0-1,3-4' } })
  assert.equal(many.statusCode, 200)
  const same = await testServer.server.inject({ url, headers: { 'if-none-match': String(whole.headers.etag) } })
  assert.deepEqual([same.statusCode, same.rawPayload.length], [304, 0])
  const head = await testServer.server.inject({ method: 'HEAD', url })
  assert.deepEqual(
    [head.statusCode, head.headers['content-length'], head.rawPayload.length],
    [200, String(whole.rawPayload.length), 0],
  )
})

test('ME8 an unattached upload is deleted after a day, counted from the deletion of its status', async () => {
  const alice = await testServer.createUser()
  const [unattached, attached] = [(await upload(alice)).body, (await upload(alice)).body]
  const posted = await alice.client.post('/api/v1/statuses', { status: 'x', media_ids: [attached.id] })
  hours = 25
  await alice.client.delete(`/api/v1/statuses/${posted.body.id}`)
  await removeOrphans(testServer.ctx)
  await testServer.waitForJobs()
  assert.equal((await alice.client.get(`/api/v1/media/${unattached.id}`)).status, 404)
  assert.equal((await fileOf(unattached.url!)).statusCode, 404)
  assert.equal((await alice.client.get(`/api/v1/media/${attached.id}`)).status, 200)
  hours = 50
  await removeOrphans(testServer.ctx)
  await testServer.waitForJobs()
  assert.equal((await fileOf(attached.url!)).statusCode, 404)
})
