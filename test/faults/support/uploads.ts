import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { multipart } from '../../http/client.ts'
import type { CreatedUser } from '../../servers/create-user.ts'
import { createImage } from '../../media/images.ts'
import type { Random } from '../../oracles/random.ts'
import { ANSWER_MS } from './repeat-requests.ts'

/** The pause between two uploads, which stays below the throttle of an account. */
const PAUSE_MS = 300

const bytes = createImage('png', { width: 64, height: 64 })

/** An upload that the server has acknowledged. */
export interface Upload {
  id: string
  by: CreatedUser
}

/** Uploads one image after the other, each by a random user, until `isOver`. */
export async function uploadRepeatedly({ origin, users, random, isOver }: UploadOptions): Promise<Upload[]> {
  const uploads: Upload[] = []
  while (!isOver()) {
    const by = random.pick(users)
    const id = await upload(origin, by)
    if (id !== null) uploads.push({ id, by })
    await wait(PAUSE_MS)
  }
  return uploads
}

interface UploadOptions {
  origin: string
  users: readonly CreatedUser[]
  random: Random
  isOver(): boolean
}

/** Returns the id of the attachment, or null if the server answered with 503. */
async function upload(origin: string, { token }: CreatedUser): Promise<string | null> {
  const form = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes: await bytes } })
  const response = await fetch(`${origin}/api/v2/media`, {
    method: 'POST',
    headers: { ...form.headers, authorization: `Bearer ${token}` },
    body: new Uint8Array(form.payload),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const { id } = (await response.json()) as { id: string }
  if (response.status < 300) return id
  assert.equal(response.status, 503)
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  return null
}

/** Checks that the attachment and its file exist. */
export async function checkUpload(origin: string, { id, by }: Upload): Promise<void> {
  const response = await fetch(`${origin}/api/v1/media/${id}`, { headers: { authorization: `Bearer ${by.token}` } })
  assert.equal(response.status, 200)
  const { url } = (await response.json()) as { url: string }
  const file = await fetch(origin + new URL(url).pathname)
  assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/png'])
  await file.arrayBuffer()
}
