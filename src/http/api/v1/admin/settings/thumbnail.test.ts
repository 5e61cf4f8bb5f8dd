import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { multipart } from '../../../../../../test/http/client.ts'
import { createVisitor } from '../../../../../../test/http/create-visitor.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { createAnimatedGif, createImage } from '../../../../../../test/media/images.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { until } from '../../../../../../test/streaming/streams.ts'
import { measureImage } from '../../../../../platform/media/images/process-image.ts'
import type { AdminThumbnail } from '../../../../../entities/admin/settings/admin-thumbnail.ts'

const PATH = '/api/v1/admin/settings/thumbnail'

const testServer = await openTestServer()
after(testServer.close)
const read = createVisitor(testServer)
const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })

async function put(fields: Record<string, string>, bytes?: Buffer) {
  const { payload, headers } = await multipart({
    ...fields,
    ...(bytes && { image: { filename: 'x.png', type: 'image/png', bytes } }),
  })
  return owner.client.put<AdminThumbnail & { error: string }>(PATH, payload, headers)
}

const open = (url: string) => testServer.server.inject(new URL(url).pathname)

async function measure(url: string): Promise<{ width: number; height: number }> {
  const { statusCode, rawPayload } = await open(url)
  assert.equal(statusCode, 200)
  return (await measureImage({ buffer: rawPayload })).dimensions
}

/** Polls the instance, which is cached for a moment. */
async function untilThumbnail(isShown: (url: string) => boolean) {
  let thumbnail!: { url: string; versions: unknown; blurhash: unknown; description: string }
  await until(async () => {
    const { body } = await read('/api/v2/instance')
    assertEntity('Instance', body)
    thumbnail = body.thumbnail
    return isShown(thumbnail.url)
  })
  return thumbnail
}

suite('the image of the server', () => {
  test('is shown by the instance, on the front page and in link previews, in two sizes, until it is removed', async () => {
    assert.equal((await owner.client.get<AdminThumbnail>(PATH)).body.url, null)
    const big = await createImage('png', { width: 2500, height: 1800 })
    const { status, body } = await put({ description: 'A meadow <at> dawn' }, big)
    assert.equal(status, 200, JSON.stringify(body))
    assertEntity('AdminThumbnail', body)
    assert.deepEqual(await measure(body.url!), { width: 1200, height: 630 })
    assert.deepEqual(await measure(body.large_url!), { width: 2400, height: 1260 })

    const thumbnail = await untilThumbnail((url) => url === body.url)
    assert.deepEqual(thumbnail, {
      url: body.url,
      versions: { '@1x': body.url, '@2x': body.large_url },
      blurhash: body.blurhash,
      description: 'A meadow <at> dawn',
    })
    assert.equal((await testServer.anonymous.get('/api/v1/instance')).body.thumbnail, body.url)
    for (const path of ['/', '/about', '/privacy-policy']) {
      const page = (await testServer.server.inject(path)).body
      assert.ok(page.includes(`<meta property="og:image" content="${body.url}" />`), path)
      assert.ok(page.includes('<meta property="og:image:alt" content="A meadow &lt;at&gt; dawn" />'), path)
      assert.equal(page.includes(`src="${body.url}"`), path === '/')
    }

    const replaced = (await put({}, await createImage('jpeg', { width: 600, height: 600 }))).body
    assert.deepEqual([replaced.description, replaced.large_url], ['', null])
    assert.deepEqual(await measure(replaced.url!), { width: 600, height: 315 })
    await testServer.waitForJobs()
    for (const url of [body.url!, body.large_url!]) assert.equal((await open(url)).statusCode, 404)

    assert.equal((await put({ description: 'A hedge' })).body.description, 'A hedge')
    const removed = await owner.client.delete<AdminThumbnail>(PATH)
    assert.deepEqual([removed.status, removed.body.url], [200, null])
    await testServer.waitForJobs()
    assert.equal((await open(replaced.url!)).statusCode, 404)
    await untilThumbnail((url) => url.endsWith('/pages/preview.png'))
    assert.equal((await owner.client.delete(PATH)).status, 200)
    const { body: entries } = await owner.client.get('/api/v1/admin/audit_log', { target_type: 'setting' })
    assert.deepEqual(
      entries.map(({ action, label }: { action: string; label: string }) => [action, label]),
      ['reset', 'update', 'update', 'update'].map((action) => [action, 'thumbnail']),
    )
  })

  test('is an image, has a description of at most 1,500 characters, and stays as it is after an invalid one', async () => {
    assert.equal(
      (await put({ description: 'Nothing to describe' })).body.error,
      "Validation failed: Image can't be blank",
    )
    const { body: valid } = await put({ description: 'Valid' }, await createImage('webp'))
    for (const [fields, bytes] of [
      [{}, undefined],
      [{}, Buffer.from('no image')],
      [{}, await createAnimatedGif()],
      [{ description: 'x'.repeat(1501) }, await createImage('png')],
    ] as const) {
      const { status } = await put(fields, bytes)
      assert.equal(status, 422)
    }
    assert.deepEqual((await owner.client.get(PATH)).body, valid)
  })
})
