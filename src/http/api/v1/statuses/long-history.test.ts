// Slow: serialises megabytes.
// In a process of its own: measures how long the event loop is blocked, also by collecting the garbage of other files.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import sharp from 'sharp'
import { sql } from 'kysely'
import { uniqueAddressHeaders } from '../../../../../test/http/browser.ts'
import { uploadFile } from '../../../../../test/http/upload-file.ts'
import { measureResponse } from '../../../../../test/performance/measure-response.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { StatusEdit } from '../../../../entities/statuses/status.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

/** Former versions. A user may edit a status that often in six hours. */
const VERSIONS = 600
/** Measured: at most 60 ms. All versions, or a whole page, at once: 190 and 450 ms. */
const MAX_STALL_MS = 120

/** A description of the maximum length, of which nearly every word differs between versions. */
const description = (n: number) =>
  Array.from({ length: 3_300 }, (_, place) => `${'abc'[(place * n * 7 + ((place * place) % 5)) % 3]}漢`).join(' ')

suite('BI15 the history of a status with hundreds of long versions', () => {
  let path = ''
  let pagePath = ''
  before(async () => {
    const user = await testServer.createUser()
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const mediaIds: string[] = []
    for (let n = 0; n < 4; n += 1) mediaIds.push((await uploadFile(user, png)).body.id)
    const { body } = await user.client.post('/api/v1/statuses', { status: 'first', media_ids: mediaIds })
    await user.client.put(`/api/v1/statuses/${body.id}`, { status: 'last', media_ids: mediaIds })
    path = `/api/v1/statuses/${body.id}/history`
    pagePath = `/@${user.username}/${body.id}/history`
    const descriptions = Array.from({ length: VERSIONS - 1 }, (_, n) => description(n + 1))
    await sql`
      insert into status_edits (status_id, text, content, spoiler_text, sensitive, language, media, emoji_ids, created_at)
      select e.status_id, '', '<p>' || d.n || '</p>', '', false, null,
        (select jsonb_agg(item || jsonb_build_object('description', d.description)) from jsonb_array_elements(e.media) item),
        e.emoji_ids, e.created_at
      from status_edits e, unnest(${descriptions}::text[]) with ordinality d (description, n)
      where e.status_id = ${body.id} order by d.n`.execute(testServer.ctx.db)
  })

  const request = async (url: string) => measureResponse(testServer, { url, headers: uniqueAddressHeaders() })

  test('has all versions in order, and does not delay other requests', async () => {
    const { stallMs, text } = await request(path)
    const versions = JSON.parse(text) as StatusEdit[]
    const middle = Array.from({ length: VERSIONS - 1 }, (_, n) => `<p>${n + 1}</p>`)
    assert.deepEqual(
      versions.map(({ content }) => content),
      ['<p>first</p>', ...middle, '<p>last</p>'],
    )
    assert.equal(versions[7]!.media_attachments[3]!.description, description(7))
    assert.ok(stallMs < MAX_STALL_MS, `${stallMs} ms`)
  })

  test('has pages that do not delay other requests', async () => {
    const stalls: number[] = []
    for (const url of [pagePath, `${pagePath}?before=${VERSIONS - 20}`]) {
      const { stallMs, text } = await request(url)
      assert.equal(text.match(/<article/g)!.length, 20, url)
      stalls.push(stallMs)
    }
    // The code of the first request is not compiled yet.
    assert.ok(Math.min(...stalls) < MAX_STALL_MS, `${stalls.join(', ')} ms`)
  })
})
