import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs, { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { BOUNDARY, createEcho, FORM_TYPE, JSON_TYPE, MULTIPART_TYPE, multipartBody } from '../../../test/bodies.ts'
import type { Form } from '../../../test/bodies.ts'
import { until } from '../../../test/play/until.ts'
import { TooManyRequests, Unavailable } from '../../lib/errors.ts'
import { createMemoryRateLimiter } from '../../platform/rate-limit.ts'
import { coerce } from './coerce.ts'
import { File, UploadedFile } from './files.ts'
import { takesFile } from './takes-file.ts'
import { limitTemporaryBytes } from './temporary-bytes.ts'
import { THROTTLES } from './throttles.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'linnet-uploads-'))
const uploads = join(dataDir, 'uploads')
const failures: object[] = []

/** What the latest request on `/file` had on disk, and what lets it be answered. */
const seen: { text?: string; paths: string[]; byteSize?: number } = { paths: [] }
let answering: Promise<void> = Promise.resolve()

async function lookAt({ file, text }: Form): Promise<object> {
  if (file) {
    seen.paths.push(file.path)
    seen.text = await readFile(file.path, 'utf8')
  }
  seen.byteSize = file?.byteSize
  await answering
  return { text, filename: file?.filename, size: file?.byteSize }
}

const app = await createEcho({ dataDir, onFailure: (facts) => failures.push(facts), onFile: lookAt })
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
after(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

async function send(headers: Record<string, string>, payload: string | Buffer, url = '/echo') {
  const answer = await app.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}

test('a file lies on disk while its request is answered, under a name of ours, and is gone with the answer', async () => {
  seen.paths = []
  const names = ['../x', '/etc/passwd', 'a/../../b', '..', 'C:\\x', 'x'.repeat(5_000), '\u0001.png']
  for (const filename of names) {
    const parts = [
      { name: 'text', value: 'before' },
      { name: 'file', value: 'the bytes', filename, type: 'image/png' },
    ]
    const { status, body } = await send(MULTIPART_TYPE, multipartBody(parts), '/file')
    assert.equal(status, 200)
    assert.deepEqual([body['text'], body['size'], seen.text], ['before', 9, 'the bytes'])
  }
  for (const path of seen.paths) assert.match(path.slice(uploads.length), /^\/request-[^/]+\/0$/)
  assert.equal(new Set(seen.paths).size, names.length)
  assert.deepEqual(await readdir(uploads), [])
})

test('a text is no file, and a record of JSON is none either', async () => {
  assert.deepEqual(await send(MULTIPART_TYPE, multipartBody([{ name: 'file', value: 'x' }]), '/file'), {
    status: 200,
    body: {},
  })
  for (const json of ['{"file":"/etc/passwd"}', '{"file":{"path":"/etc/passwd","filename":"x","byteSize":1}}']) {
    assert.deepEqual(await send(JSON_TYPE, json, '/file'), { status: 200, body: {} })
  }
})

test('a file is taken in the fields that are for files, and refused before anything is written elsewhere', async (t) => {
  const refused = { status: 422, body: { error: 'This parameter does not take a file' } }
  const text = { name: 'text', value: 'x' }
  const write = t.mock.method(fs, 'createWriteStream')
  syncBuiltinESMExports()
  t.after(() => {
    write.mock.restore()
    syncBuiltinESMExports()
  })
  for (const name of ['text', 'other', 'files', 'file[]', 'file[x]', 'fields[][name]', 'x[x][x][x][x][x]']) {
    const parts = [text, { name, value: 'x', filename: 'x.png' }]
    assert.deepEqual(await send(MULTIPART_TYPE, multipartBody(parts), '/file'), refused, name)
  }
  const file = { name: 'file', value: 'x', filename: 'x.png' }
  assert.deepEqual(await send(MULTIPART_TYPE, multipartBody([text, file])), refused, 'a route without files')
  assert.equal(write.mock.callCount(), 0)
  const nested = Type.Object({ list: Type.Optional(Type.Array(Type.Object({ file: Type.Optional(File) }))) })
  const names = ['list[][file]', 'list[0][file]', 'list[x][file]', 'list[]', 'list[][file][]', 'file']
  assert.deepEqual(
    names.map((name) => takesFile(nested, name)),
    [true, true, false, false, false, false],
  )
})

test('files count against the throttle of uploads before they are written; a form without files does not', async (t) => {
  const limiter = createMemoryRateLimiter()
  const own = await createEcho({ dataDir, limiter })
  t.after(() => own.close())
  const post = (parts: Parameters<typeof multipartBody>[0]) =>
    own.inject({ method: 'POST', url: '/file', headers: MULTIPART_TYPE, payload: multipartBody(parts) })
  const file = { name: 'file', value: 'x', filename: 'x.png' }
  for (let n = 1; n < THROTTLES.media.limit; n += 1) await limiter.take(THROTTLES.media, 'ip:127.0.0.1', new Date())
  assert.equal((await post([file])).statusCode, 200)
  const refused = await post([file])
  assert.deepEqual([refused.statusCode, refused.headers['x-ratelimit-limit']], [429, '30'])
  assert.equal((await post([{ name: 'text', value: 'x' }])).statusCode, 200)
  assert.deepEqual(await readdir(uploads), [])
})

test('BI13 of one owner, two of the largest uploads may lie there at once; the next is told to wait', async (t) => {
  const begun: Socket[] = []
  t.after(() => begun.forEach((socket) => socket.destroy()))
  const large = 90 * 1_048_576
  for (let n = 1; n <= 2; n += 1) {
    begun.push(await beginUpload(large))
    await until('the file lies there', async () => (await lying()) === n)
  }
  const third = await beginUpload(large)
  const [answer] = (await once(third, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 429 [^]*\r\nretry-after: 10\r\n/i)
  third.destroy()
  assert.equal(await lying(), 2)
  begun.pop()!.destroy()
  await until('one of them is gone', async () => (await lying()) === 1)
  begun.push(await beginUpload(large))
  await until('the next one lies there', async () => (await lying()) === 2)
  for (const socket of begun) socket.destroy()
  await until('all are gone', async () => (await lying()) === 0)
  const tooLong = await beginUpload(300 * 1_048_576)
  assert.match(String((await once(tooLong, 'data'))[0]), /^HTTP\/1\.1 413 /)
  tooLong.destroy()
})

test('all owners together may not fill the disk, and what was released counts no longer', () => {
  const bytes = limitTemporaryBytes({ perOwner: 10, total: 25 })
  const releases = ['a', 'b'].map((owner) => bytes.reserve({ owner, bytes: 10 }))
  assert.throws(() => bytes.reserve({ owner: 'a', bytes: 1 }), TooManyRequests)
  assert.throws(() => bytes.reserve({ owner: 'c', bytes: 6 }), Unavailable)
  releases[0]!()
  releases[0]!()
  bytes.reserve({ owner: 'c', bytes: 10 })
  assert.throws(() => bytes.reserve({ owner: 'a', bytes: 6 }), Unavailable)
  bytes.reserve({ owner: 'a', bytes: 5 })
})

test('BI13 ten thousand parts, and more files than any route takes, are 413 and leave no file behind', async () => {
  const file = { name: 'file', value: 'x', filename: 'x' }
  const fields = Array.from({ length: 10_000 }, (_, i) => ({ name: `f${i}`, value: 'x' }))
  const files = Array.from({ length: 10_000 }, () => file)
  for (const parts of [[file, ...fields], files, [file, file, file, file, file]]) {
    assert.equal((await send(MULTIPART_TYPE, multipartBody(parts), '/file')).status, 413)
    assert.equal((await send(MULTIPART_TYPE, multipartBody(parts))).status, 422)
  }
  assert.deepEqual(await readdir(uploads), [])
})

/** A real connection that has sent the head of a multipart request and the beginning of its file. */
async function beginUpload(contentLength: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST /file HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_TYPE['content-type']}\r\nContent-Length: ${contentLength}\r\n\r\n` +
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n${'x'.repeat(100_000)}`,
  )
  return socket
}

const lying = async () => (await readdir(uploads)).length

test('BI13 the files of an upload that is broken off are gone', async () => {
  for (const hangUp of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.resetAndDestroy()]) {
    const socket = await beginUpload(1_000_000)
    await until('the file lies there', async () => (await lying()) === 1)
    hangUp(socket)
    await until('the file is gone', async () => (await lying()) === 0)
  }
  assert.deepEqual(failures, [])
})

test('BI13 the files of a request stay as long as its handler needs them, and are gone when its client has left', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  answering = promise
  const end = `\r\n--${BOUNDARY}--\r\n`
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`
  seen.byteSize = 0
  const accepted = once(app.server, 'connection') as Promise<Socket[]>
  const socket = await beginUpload(head.length + 100_000 + end.length)
  socket.write(end)
  await until('the handler has the file', async () => seen.byteSize === 100_000)
  socket.destroy()
  const [theirs] = await accepted
  await until('the server has seen it', async () => theirs!.destroyed)
  assert.equal(await lying(), 1)
  resolve()
  await until('the file is gone', async () => (await lying()) === 0)
})

test('BI13 a body of no announced length may be as long as the largest file', async () => {
  const announced = { 'content-type': MULTIPART_TYPE['content-type'] }
  const body = multipartBody([{ name: 'file', value: 'the bytes', filename: 'x' }])
  const answer = await fetch(`http://127.0.0.1:${port}/file`, {
    method: 'POST',
    headers: announced,
    body: new Blob([new Uint8Array(body)]).stream(),
    duplex: 'half',
  })
  assert.deepEqual([answer.status, await answer.json()], [200, { filename: 'x', size: 9 }])
})

test('F10 a full disk refuses the upload with 507, and leaves nothing behind', async (t) => {
  const full = () =>
    new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    })
  t.mock.method(fs, 'createWriteStream', full)
  syncBuiltinESMExports()
  try {
    const answer = await send(MULTIPART_TYPE, multipartBody([{ name: 'file', value: 'x', filename: 'x' }]), '/file')
    assert.deepEqual(answer, { status: 507, body: { error: 'There is no room left to store the file' } })
  } finally {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  }
  assert.equal(await lying(), 0)
  assert.equal((await send(FORM_TYPE, 'text=x')).status, 200)
})

test('what a process that died left behind is removed at the next start, unless it is still being used', async () => {
  const old = new Date(Date.now() - 25 * 3_600_000)
  const left = join(uploads, 'request-left')
  const used = join(uploads, 'request-used')
  await mkdir(left, { recursive: true })
  await mkdir(used)
  await utimes(left, old, old)
  const other = await createEcho({ dataDir })
  await other.ready()
  await other.close()
  assert.deepEqual([existsSync(left), existsSync(used)], [false, true])
  await rm(used, { recursive: true })
})

test('an uploaded file can not be made of a body’s record', () => {
  assert.equal(
    coerce(Type.Object({ file: File }), { file: new UploadedFile({ path: 'x', filename: 'x', byteSize: 1 }) }) !== null,
    true,
  )
  assert.throws(() => coerce(Type.Object({ file: File }), { file: { path: 'x', filename: 'x', byteSize: 1 } }))
})
