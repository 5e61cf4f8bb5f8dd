// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import sharp from 'sharp'
import { multipart } from '../client.ts'
import { createPerson } from '../create-person.ts'
import { eventually } from '../linnet.ts'
import { cloneDatabase } from '../postgres.ts'
import { noSmallDisk, withSmallDisk } from '../small-disk.ts'
import { createRig } from './rig.ts'

/** More than any of these disks holds many of. */
const grain = createHash('shake256', { outputLength: 500 * 400 * 3 })
  .update('grain')
  .digest()
const large = await sharp(grain, { raw: { width: 500, height: 400, channels: 3 } })
  .png()
  .toBuffer()
const small = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#a92449' } })
  .png()
  .toBuffer()

/** A server whose folder of this name is a disk of so many kilobytes, and somebody who uses it. */
async function openServer(folder: string, kilobytes: number) {
  const database = await cloneDatabase()
  const within = (dataDir: string) => withSmallDisk(join(dataDir, folder), kilobytes)
  const rig = await createRig({ connection: database.connection, within })
  await rig.start()
  const { app, close } = await rig.open()
  after(async () => {
    await close()
    await rig.close()
    await database.drop()
  })
  const person = await createPerson(app.ctx, { username: 'collector' })
  const authorization = `Bearer ${person.token}`
  const ask = async (
    method: string,
    path: string,
    {
      headers = {},
      body = null,
    }: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> | null } = {},
  ) => {
    const answer = await fetch(rig.origin + path, { method, body, headers: { authorization, ...headers } })
    return { status: answer.status, body: (await answer.json()) as Made }
  }
  return {
    origin: rig.origin,
    ask,
    async upload(bytes: Buffer) {
      const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes } })
      return ask('POST', '/api/v2/media', { headers, body: new Uint8Array(payload) })
    },
    async post() {
      const body = JSON.stringify({ status: 'words need no room' })
      const posted = await ask('POST', '/api/v1/statuses', { headers: { 'content-type': 'application/json' }, body })
      assert.equal(posted.status, 200)
      assert.equal((await ask('GET', `/api/v1/statuses/${posted.body.id}`)).body.id, posted.body.id)
    },
    async countRows() {
      const { rows } = await app.pool.query('select count(*)::int as n from media_attachments')
      return rows[0].n
    },
  }
}

/** What is read of an upload, or of a post. */
interface Made {
  id: string
  url: string
}

const FULL = { status: 507, body: { error: 'There is no room left to store the file' } }

suite('a server whose disk is full', { skip: noSmallDisk, timeout: 120_000 }, () => {
  test('F10 ME8: refuses uploads with 507 and no row, shows what it has, takes posts, and uploads once there is room', async () => {
    const { upload, post, ask, origin, countRows } = await openServer('media', 4_096)
    const kept: Made[] = []
    let answer = await upload(large)
    while (answer.status === 200) {
      kept.push(answer.body)
      answer = await upload(large)
    }
    assert.deepEqual(answer, FULL)
    assert.ok(kept.length > 2)
    assert.deepEqual(await upload(large), FULL)
    assert.equal(await countRows(), kept.length)
    await post()
    for (const { url } of kept) {
      const file = Buffer.from(await (await fetch(origin + new URL(url).pathname)).arrayBuffer())
      assert.equal((await sharp(file).metadata()).width, 500)
    }
    await ask('DELETE', `/api/v1/media/${kept.pop()!.id}`)
    await eventually(async () => assert.equal((await upload(large)).status, 200))
  })

  test('F10 BI13: where a file can not even be received, that is 507 too, and smaller ones are taken', async () => {
    const { upload, post, countRows } = await openServer('uploads', 256)
    assert.ok(large.length > 256_000)
    assert.deepEqual(await upload(large), FULL)
    assert.equal(await countRows(), 0)
    await post()
    for (let n = 0; n < 3; n += 1) assert.equal((await upload(small)).status, 200)
  })
})
