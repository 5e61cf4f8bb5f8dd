import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { multipart } from '../../../../../../test/http/client.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { createAnimatedGif, createImage } from '../../../../../../test/media/images.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminIcon } from '../../../../../entities/admin/settings/admin-icon.ts'
import { measureImage } from '../../../../../platform/media/images/process-image.ts'

const PATH = '/api/v1/admin/settings/icon'
const ICONS = ['/favicon.ico', '/pages/icon-48.png', '/pages/icon-192.png', '/pages/icon-512.png']

const testServer = await openTestServer()
after(testServer.close)
const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })

async function put(bytes?: Buffer) {
  const { payload, headers } = await multipart(
    bytes ? { image: { filename: 'x.png', type: 'image/png', bytes } } : { other: 'x' },
  )
  return owner.client.put<AdminIcon & { error: string }>(PATH, payload, headers)
}

const open = (path: string, etag = '') =>
  testServer.server.inject({ url: path, headers: etag === '' ? {} : { 'if-none-match': etag } })

async function readIcons() {
  const icons = await Promise.all(ICONS.map((path) => open(path)))
  for (const { statusCode, headers } of icons)
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'])
  return {
    files: icons.map(({ rawPayload }) => rawPayload.toString('base64')),
    etags: icons.map(({ headers }) => String(headers.etag)),
    sides: await Promise.all(
      icons.map(async ({ rawPayload }) => {
        const { width, height } = (await measureImage({ buffer: rawPayload })).dimensions
        return width === height ? width : null
      }),
    ),
  }
}

suite('the icon of the server', () => {
  test('replaces that of Linnet in browser tabs and apps, in all sizes, until it is removed', async () => {
    const shipped = await readIcons()
    assert.equal((await owner.client.get<AdminIcon>(PATH)).body.url, null)
    const { status, body } = await put(await createImage('png', { width: 900, height: 600 }))
    assert.equal(status, 200, JSON.stringify(body))
    assertEntity('AdminIcon', body)
    assert.equal((await open(new URL(body.url!).pathname)).statusCode, 200)

    const own = await readIcons()
    assert.deepEqual([shipped.sides, own.sides], [shipped.sides, [48, 48, 192, 512]])
    for (const [n, path] of ICONS.entries()) {
      assert.notEqual(own.files[n], shipped.files[n])
      assert.equal((await open(path, own.etags[n])).statusCode, 304)
      assert.equal((await open(path, shipped.etags[n])).statusCode, 200)
    }
    const { icon } = (await testServer.anonymous.get('/api/v2/instance')).body
    assert.deepEqual(
      icon.map(({ src, size }: { src: string; size: string }) => [new URL(src).pathname, size]),
      [48, 192, 512].map((side) => [`/pages/icon-${side}.png`, `${side}x${side}`]),
    )

    // A small image is enlarged, because browsers rely on the declared sizes.
    const replaced = (await put(await createImage('jpeg', { width: 40, height: 40 }))).body
    assert.deepEqual((await readIcons()).sides, own.sides)
    await testServer.waitForJobs()
    assert.equal((await open(new URL(body.url!).pathname)).statusCode, 404)

    assert.equal((await owner.client.delete<AdminIcon>(PATH)).body.url, null)
    await testServer.waitForJobs()
    assert.equal((await open(new URL(replaced.url!).pathname)).statusCode, 404)
    assert.deepEqual(await readIcons(), shipped)
    assert.equal((await owner.client.delete(PATH)).status, 200)
    const { body: entries } = await owner.client.get('/api/v1/admin/audit_log', { target_type: 'setting' })
    assert.deepEqual(
      entries.map(({ action, label }: { action: string; label: string }) => [action, label]),
      ['reset', 'update', 'update'].map((action) => [action, 'icon']),
    )
  })

  test('is a static image, and stays as it is after an invalid one', async () => {
    const { body: valid } = await put(await createImage('webp'))
    for (const bytes of [undefined, Buffer.from('no image'), await createAnimatedGif()])
      assert.equal((await put(bytes)).status, 422)
    assert.deepEqual((await owner.client.get(PATH)).body, valid)
  })
})
