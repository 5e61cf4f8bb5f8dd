// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { multipart } from '../http/client.ts'
import { createUser } from '../servers/create-user.ts'
import { eventually } from '../servers/linnet-process.ts'
import { makeSample, noFfmpeg } from '../media/audio-video-samples.ts'
import { cloneDatabase } from '../services/database/test-database.ts'
import { createServerProcess } from './support/server-process.ts'

/** A video that takes seconds to encode, so that the worker can be killed meanwhile. */
const LONG_VIDEO = [
  '-f',
  'lavfi',
  '-i',
  'testsrc2=size=1280x720:rate=30:duration=10',
  '-c:v',
  'mpeg4',
  '-q:v',
  '5',
  'a.mp4',
]

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

/** Returns the ids of the ffmpeg processes with this folder in their arguments. */
function findEncoders(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return program.endsWith('ffmpeg') && args.some((arg) => arg.includes(folder))
    } catch {
      return false
    }
  })
}

/** After so many rounds, the web server is restarted: a new one has counted no uploads towards the rate limit. */
const ROUNDS_PER_SERVER = 20

const OPTIONS = { skip: noFfmpeg, timeout: Math.max(300_000, ROUNDS * 20_000) }

suite('a worker is killed while it encodes a video', OPTIONS, async () => {
  const database = await cloneDatabase()
  const web = await createServerProcess({ only: 'web', connection: database.connection })
  const worker = await createServerProcess({ only: 'worker', connection: database.connection, isSecondary: web })
  await web.start()
  const { app, close } = await web.open()
  after(async () => {
    await close()
    await worker.close()
    await web.close()
    await database.drop()
  })
  const { dataDir } = app.ctx.config
  const user = await createUser(app.ctx, { username: 'filmer' })
  const headers = { authorization: `Bearer ${user.token}` }
  const video = await makeSample(LONG_VIDEO)

  for (let round = 1; round <= ROUNDS; round += 1) {
    test(`F3 another worker encodes the video, no process remains, and no file exists twice (${round})`, async () => {
      if (round % ROUNDS_PER_SERVER === 0) {
        await web.stop()
        await web.start()
      }
      const form = await multipart({ file: { filename: 'a.mp4', type: 'video/mp4', bytes: video } })
      const uploaded = await fetch(`${web.origin}/api/v2/media`, {
        method: 'POST',
        headers: { ...headers, ...form.headers },
        body: new Uint8Array(form.payload),
      })
      assert.equal(uploaded.status, 202)
      const { id } = (await uploaded.json()) as { id: string }
      await worker.start()
      await eventually(async () => assert.equal(findEncoders(dataDir).length, 1))
      await worker.kill()
      await eventually(async () => assert.deepEqual(findEncoders(dataDir), []))
      const getMedia = () => fetch(`${web.origin}/api/v1/media/${id}`, { headers })
      assert.equal((await getMedia()).status, 206)

      await worker.start()
      await eventually(async () => assert.equal(findEncoders(dataDir).length, 1))
      await eventually(async () => {
        const { state } = await app.ctx.db
          .selectFrom('media_attachments')
          .select('state')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        assert.equal(state, 'ready')
      })
      assert.equal((await getMedia()).status, 200)
      await eventually(async () => {
        const all = await readdir(join(dataDir, 'media'), { recursive: true, withFileTypes: true })
        const names = all.filter((entry) => entry.isFile()).map((entry) => entry.name)
        const kinds = names.map((name) => name.replace(/^[0-9a-f]{32}/, '')).toSorted()
        assert.deepEqual(kinds, Array(round).fill('-small.jpg').concat(Array(round).fill('.mp4')))
      })
      await worker.stop()
    })
  }
})
