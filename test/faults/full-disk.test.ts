// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import sharp from 'sharp'
import { multipart } from '../http/client.ts'
import { createUser } from '../servers/create-user.ts'
import { eventually, startLinnet, urlOf } from '../servers/linnet-process.ts'
import { cloneDatabase } from '../services/database/test-database.ts'
import { noSmallDisk, withSmallDisk } from '../services/small-disk.ts'
import { createServerProcess } from './support/server-process.ts'

/** An image of about 600 KB, of which each of these disks holds only a few. */
const grain = createHash('shake256', { outputLength: 500 * 400 * 3 })
  .update('grain')
  .digest()
const large = await sharp(grain, { raw: { width: 500, height: 400, channels: 3 } })
  .png()
  .toBuffer()
const small = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#a92449' } })
  .png()
  .toBuffer()

/** Opens a server whose folder `folder` is a disk of that many kilobytes, and a user. */
async function openServer(folder: string, kilobytes: number) {
  const database = await cloneDatabase()
  const within = (dataDir: string) => withSmallDisk(join(dataDir, folder), kilobytes)
  const rig = await createServerProcess({ connection: database.connection, wrapper: within })
  await rig.start()
  const { app, close } = await rig.open()
  after(async () => {
    await close()
    await rig.close()
    await database.drop()
  })
  const user = await createUser(app.ctx, { username: 'collector' })
  const authorization = `Bearer ${user.token}`
  const request = async (
    method: string,
    path: string,
    {
      headers = {},
      body = null,
    }: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> | null } = {},
  ) => {
    const answer = await fetch(rig.origin + path, { method, body, headers: { authorization, ...headers } })
    return { status: answer.status, body: (await answer.json()) as CreatedEntity }
  }
  return {
    origin: rig.origin,
    request,
    async upload(bytes: Buffer) {
      const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes } })
      return request('POST', '/api/v2/media', { headers, body: new Uint8Array(payload) })
    },
    async post() {
      const body = JSON.stringify({ status: 'text needs no disk space' })
      const posted = await request('POST', '/api/v1/statuses', {
        headers: { 'content-type': 'application/json' },
        body,
      })
      assert.equal(posted.status, 200)
      assert.equal((await request('GET', `/api/v1/statuses/${posted.body.id}`)).body.id, posted.body.id)
    },
    async countRows() {
      const { rows } = await app.pool.query('select count(*)::int as n from media_attachments')
      return rows[0].n
    },
  }
}

/** The fields that the test reads of an upload or a post. */
interface CreatedEntity {
  id: string
  url: string
}

const FULL = { status: 507, body: { error: 'There is no room left to store the file' } }

suite('a server whose disk is full', { skip: noSmallDisk, timeout: 300_000 }, () => {
  test('F10 ME8: rejects uploads with 507 and no row, serves stored files, accepts posts, and accepts uploads when there is space', async () => {
    const { upload, post, request, origin, countRows } = await openServer('media', 4_096)
    const uploaded: CreatedEntity[] = []
    let answer = await upload(large)
    while (answer.status === 200) {
      uploaded.push(answer.body)
      answer = await upload(large)
    }
    assert.deepEqual(answer, FULL)
    assert.ok(uploaded.length > 2)
    assert.deepEqual(await upload(large), FULL)
    assert.equal(await countRows(), uploaded.length)
    await post()
    for (const { url } of uploaded) {
      const file = Buffer.from(await (await fetch(origin + new URL(url).pathname)).arrayBuffer())
      assert.equal((await sharp(file).metadata()).width, 500)
    }
    await request('DELETE', `/api/v1/media/${uploaded.pop()!.id}`)
    await eventually(async () => assert.equal((await upload(large)).status, 200))
  })

  test('F10 BI13: a file that does not fit into the upload folder is rejected with 507, and smaller ones are accepted', async () => {
    const { upload, post, countRows } = await openServer('uploads', 256)
    assert.ok(large.length > 256_000)
    assert.deepEqual(await upload(large), FULL)
    assert.equal(await countRows(), 0)
    await post()
    for (let n = 0; n < 3; n += 1) assert.equal((await upload(small)).status, 200)
  })

  test('F10 a first start whose data folder is full fails with one line', async () => {
    const database = await cloneDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'linnet-full-'))
    after(async () => {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    })
    const fill = ['sh', '-c', 'printf x >"$0/filler" && exec "$@"', dataDir]
    const within = [...withSmallDisk(dataDir, 4), ...fill]
    const env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(database.connection), LOCAL_DOMAIN: 'birds.example' }
    const { code, stderr } = await startLinnet(['serve'], env, { within }).ended
    assert.equal(code, 1)
    assert.match(stderr, /^The disk is full: ENOSPC: [^\n]*\n$/)
  })
})
