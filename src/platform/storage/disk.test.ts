import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { createDiskStorage } from './disk.ts'
import type { ByteRange } from './storage.ts'
import { contentTypeOf, InvalidStorageKey, RangeNotSatisfiable } from './storage.ts'

const run = promisify(execFile)

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-storage-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const notKeys = [
  '',
  '/etc/passwd',
  '../secret.png',
  'a/../../secret.png',
  'a/..%2fsecret.png',
  'a\\..\\secret.png',
  './a.png',
  'a//b.png',
  'a/.hidden.png',
  '.unfinished/a.png',
  'a\0.png',
  'a.png\n',
  'a.html',
  'a.svg',
  'a.js',
  'a.html.png',
  'a',
  'a.constructor',
  'ä.png',
  `${'a/'.repeat(9)}a.png`,
  `${'a'.repeat(101)}.png`,
]

test('a stored file comes back whole, with the type of its extension', async (t) => {
  const storage = createDiskStorage({ root: join(await emptyFolder(t), 'made/when/needed') })
  const body = randomBytes(300_000)
  const before = Date.now()
  assert.deepEqual(await storage.put({ key: 'media/3f/photo.jpg', body, contentType: 'image/jpeg' }), { size: 300_000 })
  const found = await storage.open({ key: 'media/3f/photo.jpg' })
  assert.ok(found)
  assert.equal(found.size, 300_000)
  assert.equal(found.range, null)
  assert.equal(found.contentType, 'image/jpeg')
  assert.match(found.etag, /^"[0-9a-z-]+"$/)
  assert.ok(Math.abs(found.lastModified.getTime() - before) < 60_000)
  assert.deepEqual(await buffer(found.stream), body)
  assert.equal(storage.urlPath('media/3f/photo.jpg'), '/system/media/3f/photo.jpg')
})

test('a file may arrive as a stream', async (t) => {
  const storage = createDiskStorage({ root: await emptyFolder(t) })
  const parts = [randomBytes(70_000), randomBytes(3), randomBytes(70_000)]
  const { size } = await storage.put({ key: 'sound.mp3', body: Readable.from(parts), contentType: 'audio/mpeg' })
  assert.equal(size, 140_003)
  const found = await storage.open({ key: 'sound.mp3' })
  assert.deepEqual(await buffer(found!.stream), Buffer.concat(parts))
})

test('a second file under a key replaces the first, and readers of the first still get all of it', async (t) => {
  const storage = createDiskStorage({ root: await emptyFolder(t) })
  const [first, second] = [randomBytes(200_000), randomBytes(100)]
  await storage.put({ key: 'a.png', body: first, contentType: 'image/png' })
  const reading = await storage.open({ key: 'a.png' })
  await storage.put({ key: 'a.png', body: second, contentType: 'image/png' })
  const later = await storage.open({ key: 'a.png' })
  assert.deepEqual(await buffer(reading!.stream), first)
  assert.deepEqual(await buffer(later!.stream), second)
  assert.notEqual(reading!.etag, later!.etag)
})

test('absent files are null to open and no error to remove', async (t) => {
  const storage = createDiskStorage({ root: await emptyFolder(t) })
  await storage.put({ key: 'a/b.png', body: Buffer.from('x'), contentType: 'image/png' })
  assert.equal(await storage.open({ key: 'a/c.png' }), null)
  assert.equal(await storage.open({ key: 'a/b/c.png' }), null)
  await storage.remove({ keys: ['a/c.png', 'a/b.png'] })
  assert.equal(await storage.open({ key: 'a/b.png' }), null)
  await storage.remove({ keys: ['a/b.png'] })
})

test('no name outside the alphabet of keys reaches the disk', async (t) => {
  const folder = await emptyFolder(t)
  const storage = createDiskStorage({ root: join(folder, 'root') })
  await writeFile(join(folder, 'secret.png'), 'secret')
  await mkdir(join(folder, 'root/a'), { recursive: true })
  for (const key of notKeys) {
    const body = Buffer.from('x')
    await assert.rejects(storage.put({ key, body, contentType: 'image/png' }), InvalidStorageKey, key)
    await assert.rejects(storage.remove({ keys: ['fine.png', key] }), InvalidStorageKey, key)
    assert.throws(() => storage.urlPath(key), InvalidStorageKey, key)
    assert.equal(await storage.open({ key }), null, key)
  }
  assert.deepEqual(await filesUnder(folder), [join(folder, 'secret.png')])
})

test('whatever the text, a key names a file below the root and has a type no browser runs', () => {
  const piece = fc.constantFrom('a', 'Z9', '..', '.', '/', '\\', '%2e', '\0', '.png', '.mp4', '.html', '-_')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (key) => {
        const contentType = contentTypeOf(key)
        if (contentType === null) return
        assert.ok(join('/root', key).startsWith('/root/'))
        assert.equal(join('/root', key), `/root/${key}`)
        assert.match(contentType, /^(image\/(jpeg|png|gif|webp)|video\/|audio\/|application\/octet-stream$)/)
      },
    ),
  )
})

test('ME2: a file cannot be stored as another type than it will be served with', async (t) => {
  const storage = createDiskStorage({ root: await emptyFolder(t) })
  const page = { key: 'a.png', body: Buffer.from('<script>'), contentType: 'text/html' }
  await assert.rejects(storage.put(page), TypeError)
  assert.equal(await storage.open({ key: 'a.png' }), null)
})

test('a range gives just those bytes', async (t) => {
  const storage = createDiskStorage({ root: await emptyFolder(t) })
  await storage.put({ key: 'a.mp4', body: Buffer.from('0123456789'), contentType: 'video/mp4' })
  const read = async (range: ByteRange) => {
    const found = await storage.open({ key: 'a.mp4', range })
    assert.equal(found!.size, 10)
    return [(await buffer(found!.stream)).toString(), found!.range]
  }
  assert.deepEqual(await read({ start: 0, end: 0 }), ['0', { start: 0, end: 0 }])
  assert.deepEqual(await read({ start: 3, end: 5 }), ['345', { start: 3, end: 5 }])
  assert.deepEqual(await read({ start: 7 }), ['789', { start: 7, end: 9 }])
  assert.deepEqual(await read({ start: 7, end: 1e9 }), ['789', { start: 7, end: 9 }])
  assert.deepEqual(await read({ last: 2 }), ['89', { start: 8, end: 9 }])
  assert.deepEqual(await read({ last: 99 }), ['0123456789', { start: 0, end: 9 }])
  const outside: ByteRange[] = [
    { start: 10 },
    { start: 5, end: 4 },
    { last: 0 },
    { start: -1 },
    { start: 0.5 },
    { start: NaN },
  ]
  for (const range of [...outside, { start: 0, end: NaN }, { last: NaN }]) {
    await assert.rejects(
      storage.open({ key: 'a.mp4', range }),
      (error) => error instanceof RangeNotSatisfiable && error.size === 10 && error.status === 416,
    )
  }
})

test('an upload that breaks off leaves nothing behind', async (t) => {
  const root = await emptyFolder(t)
  const storage = createDiskStorage({ root })
  async function* breaking() {
    yield randomBytes(100_000)
    throw new Error('the sender hung up')
  }
  const put = storage.put({ key: 'a.png', body: Readable.from(breaking()), contentType: 'image/png' })
  await assert.rejects(put, /the sender hung up/)
  assert.deepEqual(await filesUnder(root), [])
})

test('what a dead process left half-written is swept after a day', async (t) => {
  const root = await emptyFolder(t)
  const [old, young] = [join(root, '.unfinished/old'), join(root, '.unfinished/young')]
  await mkdir(join(root, '.unfinished'))
  await writeFile(old, 'x')
  await writeFile(young, 'x')
  const dayAgo = new Date(Date.now() - 25 * 3_600_000)
  await utimes(old, dayAgo, dayAgo)
  const storage = createDiskStorage({ root })
  await storage.put({ key: 'a.png', body: Buffer.from('x'), contentType: 'image/png' })
  await assert.rejects(stat(old), { code: 'ENOENT' })
  await stat(young)
})

/** Runs in a process of its own: fills a disk of 256 KiB. */
const fillDisk = `
  import { createDiskStorage } from ${JSON.stringify(new URL('disk.ts', import.meta.url).href)}
  import { readdirSync } from 'node:fs'
  import { Readable } from 'node:stream'
  const root = process.argv[1]
  const storage = createDiskStorage({ root })
  const outcome = (put) => put.then(() => 'stored', (error) => [error.name, error.status, error.cause.code].join(' '))
  const large = Readable.from((function* () { while (true) yield Buffer.alloc(65_536) })())
  const answers = [
    await outcome(storage.put({ key: 'a/small.png', body: Buffer.alloc(1_000), contentType: 'image/png' })),
    await outcome(storage.put({ key: 'b/large.png', body: Buffer.alloc(1_000_000), contentType: 'image/png' })),
    await outcome(storage.put({ key: 'b/endless.mp4', body: large, contentType: 'video/mp4' })),
    large.destroyed,
    readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => entry.name),
    await outcome(storage.put({ key: 'a/next.png', body: Buffer.alloc(1_000), contentType: 'image/png' })),
  ]
  process.stdout.write(JSON.stringify(answers))
`

/** The same kernel error where no small disk may be mounted: every write to a file handle ends with it. */
const failWrites = `
  import { open } from 'node:fs/promises'
  const handle = await open(process.execPath)
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  const writeFile = prototype.writeFile
  prototype.writeFile = async function (body) {
    if (Buffer.isBuffer(body) && body.length < 100_000) return writeFile.call(this, body)
    await writeFile.call(this, Buffer.alloc(65_536))
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
`

test('F10: a full disk refuses the file with 507, keeps no part of it, and takes the next that fits', async (t) => {
  const root = await emptyFolder(t)
  const node = [process.execPath, '--input-type=module', '-e']
  // A mount namespace of its own: the small disk disappears with the process, however it ends.
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']
  const onSmallDisk = (command: string[]) =>
    run('unshare', [...namespace, 'sh', '-c', `mount -t tmpfs -o size=256k linnet "$0" && exec "$@"`, root, ...command])
  const mayMount = await onSmallDisk(['true']).then(
    () => true,
    () => false,
  )
  t.diagnostic(
    mayMount ? 'on a real full disk, a tmpfs of 256 KiB' : 'with injected ENOSPC: no tmpfs may be mounted here',
  )
  const { stdout } = await (mayMount
    ? onSmallDisk([...node, fillDisk, root])
    : run(node[0]!, [...node.slice(1), failWrites + fillDisk, root]))
  const full = 'StorageFull 507 ENOSPC'
  assert.deepEqual(JSON.parse(stdout), ['stored', full, full, true, ['small.png'], 'stored'])
})
