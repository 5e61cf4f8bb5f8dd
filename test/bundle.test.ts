// Slow: bundles and starts the server.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { startServer } from './end-to-end/server.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bundle-'))
const server = await startServer({ dataDir, env: { LOG_LEVEL: 'error' } })
after(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const root = join(import.meta.dirname, '..')
const bundles = join(root, 'node_modules/.cache/linnet-server')
const [, current] = (await readFile(join(bundles, 'current'), 'utf8')).split('\n')
const bundle = join(bundles, current!)

test('the bundle is ASCII, so that V8 keeps its text with one byte per character', async () => {
  const files = (await readdir(bundle)).filter((name) => name.endsWith('.js'))
  assert.ok(files.includes('main.js'))
  for (const name of files) {
    const text = await readFile(join(bundle, name), 'latin1')
    // In HTML, a character reference such as &middot; replaces the character.
    assert.deepEqual(text.match(/.{0,60}[^\0-\x7f]+/), null, name)
  }
})

test('the bundled server finds its migrations, static assets, libraries and the web client', async () => {
  for (const [path, type] of [
    ['/health', 'application/json'],
    ['/api/v2/instance', 'application/json'],
    ['/api/openapi.json', 'application/json'],
    ['/api/docs', 'text/html'],
    ['/about', 'text/html'],
    ['/metrics', 'text/plain'],
  ] as const) {
    const response = await fetch(server.address + path)
    assert.deepEqual([response.status, response.headers.get('content-type')?.split(';')[0]], [200, type], path)
    await response.body?.cancel()
  }
  const page = await (await fetch(`${server.address}/about`)).text()
  const paths = [...page.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js|svg|png|ico|woff2))[^"]*"/g)].map(
    ([, path]) => path!,
  )
  assert.ok(paths.length > 0)
  for (const path of paths) assert.equal((await fetch(server.address + path)).status, 200, path)
})

test('the bundle has all migrations and the image decoder, so that neither needs a compiler', async () => {
  const names = async (folder: string, type: string) =>
    (await readdir(folder)).filter((file) => file.endsWith(type)).map((file) => file.slice(0, -type.length))
  assert.deepEqual(await names(join(bundle, 'migrations'), '.js'), await names(join(root, 'migrations'), '.ts'))

  await server.run('accounts', 'create', 'paula', '--email', 'paula@example.com', '--confirmed', '--approved')
  const token = await server.run('tokens', 'create', 'paula')
  const form = new FormData()
  const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
  form.append('file', new Blob([await picture.png().toBuffer()], { type: 'image/png' }), 'teal.png')
  const upload = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form }
  const response = await fetch(`${server.address}/api/v2/media`, upload)
  const media = (await response.json()) as { type?: string }
  assert.deepEqual([response.status, media.type], [200, 'image'], JSON.stringify(media))
  const { stdout: processes } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'args='])
  assert.ok(processes.includes(`${current}/decoder.js`))
})
