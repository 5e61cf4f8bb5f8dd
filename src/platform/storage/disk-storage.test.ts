import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { noSmallDisk, withSmallDisk } from '../../../test/services/small-disk.ts'
import { createDiskStorage } from './disk-storage.ts'

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

test('a second file with a key replaces the first, and readers of the first still read all of it', async (t) => {
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

test('only the user of the server can access files and folders, with any umask', async (t) => {
  const root = join(await emptyFolder(t), 'media')
  const mask = process.umask(0)
  t.after(() => process.umask(mask))
  await createDiskStorage({ root }).put({ key: 'a/b/c.png', body: randomBytes(10), contentType: 'image/png' })
  for (const [path, mode] of Object.entries({ '.': 0o700, a: 0o700, 'a/b': 0o700, 'a/b/c.png': 0o600 })) {
    assert.equal((await stat(join(root, path))).mode & 0o777, mode, path)
  }
})

test('files and folders belong to the owner of the data folder, also if root stores them', async (t) => {
  const dataDir = await emptyFolder(t)
  // Only root can give a folder to another user.
  if (process.getuid?.() === 0) await chown(dataDir, 12_345, 12_346)
  const { uid, gid } = await stat(dataDir)
  const root = join(dataDir, 'media')
  await createDiskStorage({ root }).put({ key: 'a/b/c.png', body: randomBytes(10), contentType: 'image/png' })
  for (const path of ['.', '.unfinished', 'a', 'a/b', 'a/b/c.png']) {
    const found = await stat(join(root, path))
    assert.deepEqual([found.uid, found.gid], [uid, gid], path)
  }
})

test('an interrupted upload leaves no files', async (t) => {
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

test('unfinished files of a dead process are removed after a day', async (t) => {
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

/** Runs in a separate process: fills a disk of 256 KiB. */
const fillDisk = `
  import { createDiskStorage } from ${JSON.stringify(new URL('disk-storage.ts', import.meta.url).href)}
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

/** Simulates the same error where no small disk can be mounted: each write to a file handle fails with it. */
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

test('F10: a file above the free space is rejected with 507 and leaves nothing; a smaller one fits', async (t) => {
  const root = await emptyFolder(t)
  const node = [process.execPath, '--input-type=module', '-e']
  t.diagnostic(noSmallDisk ? `with injected ENOSPC: ${noSmallDisk}` : 'on a real full disk, a tmpfs of 256 KiB')
  const [program, ...args] = [...withSmallDisk(root, 256), ...node, fillDisk, root]
  const { stdout } = await (noSmallDisk
    ? run(node[0]!, [...node.slice(1), failWrites + fillDisk, root])
    : run(program, args))
  const full = 'StorageFullError 507 ENOSPC'
  assert.deepEqual(JSON.parse(stdout), ['stored', full, full, true, ['small.png'], 'stored'])
})
