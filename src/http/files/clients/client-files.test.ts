import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createBrowser } from '../../../../test/http/browser.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'linnet-clients-'))
after(() => rm(folder, { recursive: true }))
const testServer = await openTestServer({ effects: false, env: { CLIENTS_DIR: folder } })
after(testServer.close)

const INDEX =
  '<!doctype html><title>Wren</title><script>document.title = "Wren 2"</script><script src="app.js"></script>'
const SCRIPT = 'globalThis.started = true\n'.repeat(100)

async function store(name: string, content: string | Buffer): Promise<void> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
}

await store('wren/index.html', INDEX)
await store('wren/app.js', SCRIPT)
await store('wren/assets/index-Dw8frQ2a.js', SCRIPT)
await store('wren/assets/index-Dw8frQ2a.js.br', brotliCompressSync(SCRIPT))
await store('wren/assets/index-Dw8frQ2a.js.gz', gzipSync(SCRIPT))
await store('wren/docs/index.html', '<title>Docs</title>')
await store('wren/icon-1024x1024.png', 'png')
await store('wren/font.woff2', 'font')
await store('wren/.env', 'secret')
await store('wren/.git/config', 'secret')
await store('.hidden/index.html', 'secret')
await store('loose.html', 'secret')
await store('unfinished/app.js', 'x')
const outside = await mkdtemp(join(tmpdir(), 'linnet-outside-'))
after(() => rm(outside, { recursive: true }))
await writeFile(join(outside, 'index.html'), 'secret')
await symlink(outside, join(folder, 'linked'))
await symlink(join(outside, 'index.html'), join(folder, 'wren', 'leak.html'))
await symlink(join(outside, 'index.html'), join(folder, 'wren', 'font.woff2.br'))
await symlink('wren', join(folder, 'latest'))

const NAVIGATION = { accept: 'text/html,*/*', 'sec-fetch-mode': 'navigate' }

function get(path: string, headers: Record<string, string> = {}) {
  return testServer.server.inject({ url: `/clients/${path}`, headers })
}

test('the files of a client have their content types, and its folder shows the index page', async () => {
  const types = {
    'wren/': 'text/html; charset=utf-8',
    'wren/app.js': 'application/javascript; charset=utf-8',
    'wren/font.woff2': 'font/woff2',
    'wren/icon-1024x1024.png': 'image/png',
    'wren/docs/': 'text/html; charset=utf-8',
    'latest/': 'text/html; charset=utf-8',
  }
  for (const [path, type] of Object.entries(types)) {
    const { statusCode, headers } = await get(path)
    assert.deepEqual([statusCode, headers['content-type']], [200, type], path)
    assert.equal(headers['x-content-type-options'], 'nosniff', path)
    assert.equal(headers['access-control-allow-origin'], undefined, path)
  }
  assert.equal((await get('wren/')).body, INDEX)
  const head = await testServer.server.inject({ method: 'HEAD', url: '/clients/wren/app.js' })
  assert.deepEqual([head.statusCode, head.body, head.headers['content-length']], [200, '', String(SCRIPT.length)])
})

test('a folder without its slash redirects, so that relative addresses are inside of it', async () => {
  for (const [path, location] of [
    ['wren', '/clients/wren/'],
    ['wren/docs?a=/b', '/clients/wren/docs/?a=/b'],
  ] as const) {
    const { statusCode, headers } = await get(path)
    assert.deepEqual([statusCode, headers['location']], [302, location])
  }
})

test('a client-side route shows the index page to a navigation, and a missing file is 404', async () => {
  const navigations: Record<string, string>[] = [NAVIGATION, { accept: 'text/html' }]
  for (const headers of navigations) {
    const { statusCode, body } = await get('wren/@ada@remote.example/1', headers)
    assert.deepEqual([statusCode, body], [200, INDEX])
  }
  const loads: Record<string, string>[] = [{ accept: '*/*' }, { accept: 'text/html', 'sec-fetch-mode': 'cors' }]
  for (const headers of loads) assert.equal((await get('wren/assets/gone.js', headers)).statusCode, 404)
  for (const path of ['missing/', 'missing/x', 'unfinished/', 'loose.html'])
    assert.equal((await get(path, NAVIGATION)).statusCode, 404, path)
})

test('browsers revalidate files, and store those with a hash in the name for good', async () => {
  const { headers } = await get('wren/app.js')
  assert.equal(headers['cache-control'], 'no-cache')
  const etag = String(headers['etag'])
  const lastModified = String(headers['last-modified'])
  assert.equal((await get('wren/app.js', { 'if-none-match': etag })).statusCode, 304)
  assert.equal((await get('wren/app.js', { 'if-modified-since': lastModified })).statusCode, 304)
  await utimes(join(folder, 'wren', 'app.js'), new Date(), new Date('2026-01-01'))
  assert.equal((await get('wren/app.js', { 'if-none-match': etag })).statusCode, 200)
  const hashed = await get('wren/assets/index-Dw8frQ2a.js')
  assert.equal(hashed.headers['cache-control'], 'public, max-age=31536000, immutable')
  for (const path of ['wren/', 'wren/icon-1024x1024.png', 'wren/docs/'])
    assert.equal((await get(path)).headers['cache-control'], 'no-cache', path)
})

test('a range of a file is sent, and one beyond its end is 416', async () => {
  const part = await get('wren/app.js', { range: 'bytes=0-9' })
  assert.deepEqual([part.statusCode, part.body], [206, SCRIPT.slice(0, 10)])
  assert.equal(part.headers['content-range'], `bytes 0-9/${SCRIPT.length}`)
  const changed = await get('wren/app.js', { range: 'bytes=0-9', 'if-range': '"other"' })
  assert.deepEqual([changed.statusCode, changed.body], [200, SCRIPT])
  assert.equal((await get('wren/app.js', { range: 'bytes=999999-' })).statusCode, 416)
})

test('a compressed variant is sent to browsers that accept it', async () => {
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const { headers } = await get('wren/assets/index-Dw8frQ2a.js', { 'accept-encoding': accepted })
    assert.equal(headers['content-encoding'], encoding)
    assert.equal(headers['content-type'], 'application/javascript; charset=utf-8')
    assert.match(String(headers['vary']), /accept-encoding/i)
  }
})

test('nothing outside of the folder of a client is served, and no hidden file', async () => {
  const paths = [
    'wren/../../etc/passwd',
    'wren/%2e%2e/loose.html',
    'wren/..%2floose.html',
    'wren/..%5cloose.html',
    'wren/%00',
    'wren//app.js',
    '..%2fwren/app.js',
    'wren/.env',
    'wren/.git/config',
    '.hidden/',
    'linked/',
    'linked/index.html',
    'wren/leak.html',
    `wren/${'x'.repeat(400)}`,
  ]
  for (const path of paths) {
    const { statusCode, body } = await get(path)
    assert.deepEqual([statusCode, body.includes('secret')], [404, false], path)
  }
  const variant = await get('wren/font.woff2', { 'accept-encoding': 'br' })
  assert.equal(variant.statusCode, 404, 'a compressed variant that leads out of the folder')
})

test('the policy permits the own files, inline scripts by their hash, the API, and no page of the server', async () => {
  const policy = String((await get('wren/')).headers['content-security-policy'])
  const hash = createHash('sha256').update('document.title = "Wren 2"').digest('base64')
  assert.match(policy, new RegExp(`script-src https://linnet.test/clients/wren/ 'wasm-unsafe-eval' 'sha256-`))
  assert.ok(policy.includes(`'sha256-${hash}'`))
  const sources = /connect-src ([^;]*)/.exec(policy)![1]!.split(' ')
  assert.ok(sources.includes('https://linnet.test/api/') && sources.includes('wss://linnet.test/api/'))
  for (const source of sources) assert.match(source, /^(data:|blob:|\w+:\/\/[^/]+\/[\w./-]+)$/)
  for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"])
    assert.ok(policy.includes(directive), directive)
  const worker = await get('wren/app.js', { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' })
  assert.equal(worker.statusCode, 404)
})

test('the list shows the clients, and a new one at the next request', async () => {
  const browser = createBrowser(testServer.server)
  const listed = async () =>
    [...(await browser.get('/clients/')).html.matchAll(/href="(\/clients\/.+?)"/g)].map(([, path]) => path)
  assert.deepEqual(await listed(), ['/clients/latest/', '/clients/wren/'])
  await store('a new & <b>/index.html', '<title>New</title>')
  assert.deepEqual(await listed(), ['/clients/a%20new%20%26%20%3Cb%3E/', '/clients/latest/', '/clients/wren/'])
  assert.equal((await get('a%20new%20%26%20%3Cb%3E/')).statusCode, 200)
  await rm(join(folder, 'a new & <b>'), { recursive: true })
  assert.equal((await get('a%20new%20%26%20%3Cb%3E/')).statusCode, 404)
})

test('a server without a folder of clients has no such pages', async () => {
  const other = await openTestServer({ effects: false })
  after(other.close)
  for (const url of ['/clients', '/clients/wren/'])
    assert.equal((await other.server.inject({ url, headers: NAVIGATION })).statusCode, 404)
})
