import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openS3 } from '../../../test/services/s3-server.ts'
import { readConfig } from '../config/config.ts'
import { openStorage } from './open-storage.ts'
import type { ByteRange, Storage } from './storage.ts'
import { contentTypeOf, InvalidStorageKeyError, RangeNotSatisfiableError } from './storage.ts'

const s3 = await openS3()
const folder = await mkdtemp(join(tmpdir(), 'linnet-storage-'))
after(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

/** Each test has its own empty storage. Parts have the minimum size, so that larger files need several. */
let count = 0
function openAt(env: Record<string, string>): Storage {
  count += 1
  const own = { DATA_DIR: join(folder, `${count}/made/when/needed`), S3_KEY_PREFIX: `${count}/own` }
  return openStorage(readConfig({ ...own, ...env }))
}

const places: { name: string; open: () => Storage }[] = [
  { name: 'disk', open: () => openAt({ S3_KEY_PREFIX: '' }) },
  { name: 'S3', open: () => openAt({ ...s3.env, S3_MULTIPART_THRESHOLD: String(5 * 1_048_576) }) },
  {
    name: 'S3 without parts and batches',
    open: () => openAt({ ...s3.env, S3_FORCE_SINGLE_REQUEST: 'true', S3_BATCH_DELETE_LIMIT: '1' }),
  },
]

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

test('any valid key is a file below the root with a type that browsers do not execute', () => {
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
        assert.match(contentType, /^(image\/(jpeg|png|gif|webp)|video\/|audio\/)/)
      },
    ),
  )
})

for (const place of places) {
  test(`${place.name}: a stored file is returned completely, with the type of its extension`, async () => {
    const storage = place.open()
    const body = randomBytes(300_000)
    const before = Date.now()
    assert.deepEqual(await storage.put({ key: 'media/3f/photo.jpg', body, contentType: 'image/jpeg' }), {
      size: 300_000,
    })
    const found = await storage.open({ key: 'media/3f/photo.jpg' })
    assert.ok(found)
    assert.equal(found.size, 300_000)
    assert.equal(found.range, null)
    assert.equal(found.contentType, 'image/jpeg')
    assert.match(found.etag, /^"[0-9a-z-]+"$/)
    assert.ok(Math.abs(found.lastModified.getTime() - before) < 60_000)
    assert.deepEqual(await buffer(found.stream), body)
  })

  test(`${place.name}: a file can be stored from a stream`, async () => {
    const storage = place.open()
    const parts = [randomBytes(70_000), randomBytes(3), randomBytes(14_000_000), randomBytes(5)]
    const { size } = await storage.put({ key: 'sound.mp3', body: Readable.from(parts), contentType: 'audio/mpeg' })
    assert.equal(size, 14_070_008)
    const found = await storage.open({ key: 'sound.mp3' })
    assert.deepEqual(await buffer(found!.stream), Buffer.concat(parts))
  })

  test(`${place.name}: opening a missing file returns null, and removing it is no error`, async () => {
    const storage = place.open()
    await storage.put({ key: 'a/b.png', body: Buffer.from('x'), contentType: 'image/png' })
    assert.equal(await storage.open({ key: 'a/c.png' }), null)
    assert.equal(await storage.open({ key: 'a/b/c.png' }), null)
    await storage.remove({ keys: ['a/c.png', 'a/b.png'] })
    assert.equal(await storage.open({ key: 'a/b.png' }), null)
    await storage.remove({ keys: ['a/b.png'] })
  })

  test(`${place.name}: ME2: a file cannot be stored with another type than it is served with`, async () => {
    const storage = place.open()
    const page = { key: 'a.png', body: Buffer.from('<script>'), contentType: 'text/html' }
    await assert.rejects(storage.put(page), TypeError)
    assert.equal(await storage.open({ key: 'a.png' }), null)
  })

  test(`${place.name}: a range returns exactly those bytes`, async () => {
    const storage = place.open()
    await storage.put({ key: 'a.mp4', body: Buffer.from('0123456789'), contentType: 'video/mp4' })
    const read = async (range: ByteRange) => {
      const found = await storage.open({ key: 'a.mp4', range })
      assert.equal(found!.size, 10)
      return [(await buffer(found!.stream)).toString(), found!.range]
    }
    assert.deepEqual(await read({ start: 0, end: 1 }), ['01', { start: 0, end: 1 }])
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
        (error) => error instanceof RangeNotSatisfiableError && error.size === 10 && error.status === 416,
      )
    }
  })

  test(`${place.name}: invalid keys are not stored, found or removed`, async () => {
    const storage = place.open()
    for (const key of notKeys) {
      const body = Buffer.from('x')
      await assert.rejects(storage.put({ key, body, contentType: 'image/png' }), InvalidStorageKeyError, key)
      await assert.rejects(storage.remove({ keys: ['fine.png', key] }), InvalidStorageKeyError, key)
      assert.equal(await storage.find({ key }), null, key)
      assert.equal(await storage.open({ key }), null, key)
    }
    assert.deepEqual(await Array.fromAsync(storage.list({ folder: '' })), [])
  })

  test(`${place.name}: find returns the same properties as open, including the ETag`, async () => {
    const storage = place.open()
    await storage.put({ key: 'a/b.gif', body: Buffer.from('0123456789'), contentType: 'image/gif' })
    const { stream, range, ...opened } = (await storage.open({ key: 'a/b.gif' }))!
    assert.deepEqual([await text(stream), range], ['0123456789', null])
    assert.deepEqual(await storage.find({ key: 'a/b.gif' }), opened)
    assert.equal(await storage.find({ key: 'a/c.gif' }), null)
  })

  test(`${place.name}: only the files of a folder are listed`, async () => {
    const storage = place.open()
    const keys = ['cache/1a/a.png', 'cache/1a/b.mp4', 'cache/2.gif', 'cached.png', 'media/x.jpg']
    for (const key of keys) {
      await storage.put({ key, body: Buffer.from(key), contentType: contentTypeOf(key)! })
    }
    const found = await Array.fromAsync(storage.list({ folder: 'cache/' }))
    assert.deepEqual(
      found.map(({ key, size }) => `${key} ${size}`).toSorted(),
      keys.slice(0, 3).map((key) => `${key} ${key.length}`),
    )
    for (const { lastModified } of found) assert.ok(Math.abs(lastModified.getTime() - Date.now()) < 60_000)
    assert.deepEqual(await Array.fromAsync(storage.list({ folder: 'nothing/' })), [])
  })

  test(`${place.name}: many files are removed in one call`, async () => {
    const storage = place.open()
    const keys = Array.from({ length: 7 }, (_, n) => `a/${n}.png`)
    for (const key of keys) await storage.put({ key, body: Buffer.from('x'), contentType: 'image/png' })
    await storage.remove({ keys: [...keys.slice(1), 'a/none.png'] })
    assert.deepEqual(
      (await Array.fromAsync(storage.list({ folder: 'a/' }))).map(({ key }) => key),
      ['a/0.png'],
    )
  })

  test(`${place.name}: BI13: an interrupted large upload leaves no part`, async () => {
    const storage = place.open()
    async function* breaking() {
      for (let n = 0; n < 13; n += 1) yield randomBytes(1_000_000)
      throw new Error('the sender hung up')
    }
    const body = Readable.from(breaking())
    await assert.rejects(storage.put({ key: 'a.mp4', body, contentType: 'video/mp4' }), /the sender hung up/)
    assert.deepEqual([body.destroyed, await storage.open({ key: 'a.mp4' })], [true, null])
    assert.deepEqual(await Array.fromAsync(storage.list({ folder: '' })), [])
  })
}
