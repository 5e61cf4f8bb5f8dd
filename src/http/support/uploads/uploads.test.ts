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
import {
  BOUNDARY,
  createEchoServer,
  FORM_TYPE,
  JSON_TYPE,
  MULTIPART_TYPE,
  multipartBody,
} from '../../../../test/http/echo-server.ts'
import type { Form } from '../../../../test/http/echo-server.ts'
import { until } from '../../../../test/end-to-end/until.ts'
import { TooManyRequestsError, ServiceUnavailableError } from '../../../lib/errors.ts'
import { createMemoryRateLimiter } from '../../../platform/rate-limit/rate-limiter.ts'
import { coerce } from '../request/coerce.ts'
import { FileParam, UploadedFile } from './uploaded-file.ts'
import { acceptsFile } from '../request/parse-bodies.ts'
import { limitTemporaryBytes } from './limit-temporary-bytes.ts'
import { THROTTLES } from '../rate-limits/throttles.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'linnet-uploads-'))
const uploads = join(dataDir, 'uploads')
const failures: object[] = []

/** What the latest request to `/file` had on disk, and the promise that delays its response. */
const seen: { text?: string; paths: string[]; byteSize?: number } = { paths: [] }
let delay: Promise<void> = Promise.resolve()

async function inspectUpload({ file, text }: Form): Promise<object> {
  if (file) {
    seen.paths.push(file.path)
    seen.text = await readFile(file.path, 'utf8')
  }
  seen.byteSize = file?.byteSize
  await delay
  return { text, filename: file?.filename, size: file?.byteSize }
}

const app = await createEchoServer({ dataDir, onFailure: (facts) => failures.push(facts), onFile: inspectUpload })
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

test('a file is on disk under a generated name until the response of its request is sent', async () => {
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

test('a text or a JSON object is not accepted as a file', async () => {
  assert.deepEqual(await send(MULTIPART_TYPE, multipartBody([{ name: 'file', value: 'x' }]), '/file'), {
    status: 200,
    body: {},
  })
  for (const json of ['{"file":"/etc/passwd"}', '{"file":{"path":"/etc/passwd","filename":"x","byteSize":1}}']) {
    assert.deepEqual(await send(JSON_TYPE, json, '/file'), { status: 200, body: {} })
  }
})

test('a file is accepted only in file fields, and refused in others before anything is written', async (t) => {
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
  const nested = Type.Object({ list: Type.Optional(Type.Array(Type.Object({ file: Type.Optional(FileParam) }))) })
  const names = ['list[][file]', 'list[0][file]', 'list[x][file]', 'list[]', 'list[][file][]', 'file']
  assert.deepEqual(
    names.map((name) => acceptsFile(nested, name)),
    [true, true, false, false, false, false],
  )
})

test('files count against the throttle of uploads before they are written; forms without files do not', async (t) => {
  const limiter = createMemoryRateLimiter()
  const own = await createEchoServer({ dataDir, limiter })
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

test('BI13 one owner may store two of the largest uploads at once; the next gets 429', async (t) => {
  const sockets: Socket[] = []
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  const large = 90 * 1_048_576
  for (let n = 1; n <= 2; n += 1) {
    sockets.push(await beginUpload(large))
    await until('the file is there', async () => (await countFolders()) === n)
  }
  const third = await beginUpload(large)
  const [answer] = (await once(third, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 429 [^]*\r\nretry-after: 10\r\n/i)
  third.destroy()
  assert.equal(await countFolders(), 2)
  sockets.pop()!.destroy()
  await until('one of them is gone', async () => (await countFolders()) === 1)
  sockets.push(await beginUpload(large))
  await until('the next one is there', async () => (await countFolders()) === 2)
  for (const socket of sockets) socket.destroy()
  await until('all are gone', async () => (await countFolders()) === 0)
  const tooLong = await beginUpload(300 * 1_048_576)
  assert.match(String((await once(tooLong, 'data'))[0]), /^HTTP\/1\.1 413 /)
  tooLong.destroy()
})

test('BI13 an archive may be larger than other files, one at a time for each owner, beside other uploads', async (t) => {
  const sockets: Socket[] = []
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  const large = 290 * 1_048_576
  sockets.push(await beginUpload(large, '/archive'))
  await until('the file is there', async () => (await countFolders()) === 1)
  for (const [bytes, status] of [
    [large, 429],
    [310 * 1_048_576, 413],
  ] as const) {
    const refused = await beginUpload(bytes, '/archive')
    sockets.push(refused)
    assert.match(String((await once(refused, 'data'))[0]), new RegExp(`^HTTP/1\\.1 ${status} `))
  }
  sockets.push(await beginUpload(90 * 1_048_576))
  await until('the other file is there', async () => (await countFolders()) === 2)
  for (const socket of sockets) socket.destroy()
  await until('all are gone', async () => (await countFolders()) === 0)
})

test('all owners together may not fill the disk, and released bytes can be reserved again', () => {
  const bytes = limitTemporaryBytes({ perOwner: 10, total: 25 })
  const releases = ['a', 'b'].map((owner) => bytes.reserve({ owner, bytes: 10 }))
  assert.throws(() => bytes.reserve({ owner: 'a', bytes: 1 }), TooManyRequestsError)
  assert.throws(() => bytes.reserve({ owner: 'c', bytes: 6 }), ServiceUnavailableError)
  releases[0]!()
  releases[0]!()
  bytes.reserve({ owner: 'c', bytes: 10 })
  assert.throws(() => bytes.reserve({ owner: 'a', bytes: 6 }), ServiceUnavailableError)
  bytes.reserve({ owner: 'a', bytes: 5 })
})

test('BI13 too many parts or files get 413 and leave no files', async () => {
  const file = { name: 'file', value: 'x', filename: 'x' }
  const fields = Array.from({ length: 10_000 }, (_, i) => ({ name: `f${i}`, value: 'x' }))
  const files = Array.from({ length: 10_000 }, () => file)
  for (const parts of [[file, ...fields], files, [file, file, file, file, file]]) {
    assert.equal((await send(MULTIPART_TYPE, multipartBody(parts), '/file')).status, 413)
    assert.equal((await send(MULTIPART_TYPE, multipartBody(parts))).status, 422)
  }
  assert.deepEqual(await readdir(uploads), [])
})

/** Opens a connection, and sends the headers of a multipart request and the start of its file. */
async function beginUpload(contentLength: number, path = '/file'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_TYPE['content-type']}\r\nContent-Length: ${contentLength}\r\n\r\n` +
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n${'x'.repeat(100_000)}`,
  )
  return socket
}

const countFolders = async () => (await readdir(uploads)).length

test('BI13 the files of an aborted upload are deleted', async () => {
  for (const hangUp of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.resetAndDestroy()]) {
    const socket = await beginUpload(1_000_000)
    await until('the file is there', async () => (await countFolders()) === 1)
    hangUp(socket)
    await until('the file is gone', async () => (await countFolders()) === 0)
  }
  assert.deepEqual(failures, [])
})

test('BI13 after a client disconnects, the files of its request are deleted when the handler ends', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  delay = promise
  const end = `\r\n--${BOUNDARY}--\r\n`
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`
  seen.byteSize = 0
  const accepted = once(app.server, 'connection') as Promise<Socket[]>
  const socket = await beginUpload(head.length + 100_000 + end.length)
  socket.write(end)
  await until('the handler has the file', async () => seen.byteSize === 100_000)
  socket.destroy()
  const [serverSocket] = await accepted
  await until('the server has seen it', async () => serverSocket!.destroyed)
  assert.equal(await countFolders(), 1)
  resolve()
  await until('the file is gone', async () => (await countFolders()) === 0)
})

test('BI13 a chunked body is accepted', async () => {
  const headers = { 'content-type': MULTIPART_TYPE['content-type'] }
  const body = multipartBody([{ name: 'file', value: 'the bytes', filename: 'x' }])
  const answer = await fetch(`http://127.0.0.1:${port}/file`, {
    method: 'POST',
    headers,
    body: new Blob([new Uint8Array(body)]).stream(),
    duplex: 'half',
  })
  assert.deepEqual([answer.status, await answer.json()], [200, { filename: 'x', size: 9 }])
})

test('F10 an upload to a full disk gets 507, and leaves no files', async (t) => {
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
  assert.equal(await countFolders(), 0)
  assert.equal((await send(FORM_TYPE, 'text=x')).status, 200)
})

test('files of crashed processes are deleted at the next start, but not recent ones', async () => {
  const old = new Date(Date.now() - 25 * 3_600_000)
  const left = join(uploads, 'request-old')
  const used = join(uploads, 'request-recent')
  await mkdir(left, { recursive: true })
  await mkdir(used)
  await utimes(left, old, old)
  const other = await createEchoServer({ dataDir })
  await other.ready()
  await other.close()
  assert.deepEqual([existsSync(left), existsSync(used)], [false, true])
  await rm(used, { recursive: true })
})

test('an uploaded file cannot be forged by an object in a body', () => {
  assert.equal(
    coerce(Type.Object({ file: FileParam }), { file: new UploadedFile({ path: 'x', filename: 'x', byteSize: 1 }) }) !==
      null,
    true,
  )
  assert.throws(() => coerce(Type.Object({ file: FileParam }), { file: { path: 'x', filename: 'x', byteSize: 1 } }))
})
