import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { createImage } from '../../../../test/media/images.ts'
import { uploadFile } from '../../../../test/http/upload-file.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const ada = await testServer.createUser({ username: 'ada', displayName: 'Ada' })
const upload = async () => (await uploadFile(ada, await createImage('png'), { description: 'A red square' })).body
const open = (path: string) => testServer.server.inject({ url: path })

async function postWith(mediaId: string, visibility: string): Promise<string> {
  const { status, body } = await ada.client.post('/api/v1/statuses', { media_ids: [mediaId], visibility })
  assert.equal(status, 200)
  return body.id
}

test('a media attachment has a URL that redirects to its file, and a page that other sites may embed', async () => {
  const media = await upload()
  await postWith(media.id, 'unlisted')
  const file = await open(`/media/${media.id}`)
  assert.deepEqual([file.statusCode, file.headers['location']], [302, media.url])
  const player = await open(`/media/${media.id}/player`)
  assert.equal(player.statusCode, 200)
  assert.match(player.body, /<img src="[^"]+" alt="A red square"/)
  assert.match(player.body, /<title>Post by [^<]*Ada/)
  assert.match(String(player.headers['content-security-policy']), /frame-ancestors \*/)
  assert.equal(player.headers['x-frame-options'], undefined)
  assert.equal(player.headers['x-robots-tag'], 'noindex')
})

test('a video has a player with the browser’s own controls', async () => {
  const remoteAccountId = await createRemoteAccount(testServer.ctx)
  const video = {
    type: 'video' as const,
    url: 'https://far.test/film.mp4',
    mediaType: 'video/mp4',
    description: 'A heron',
    blurhash: null,
    focus: null,
    width: 640,
    height: 360,
    previewUrl: null,
  }
  const statusId = await createRemoteStatus(testServer.ctx, { accountId: remoteAccountId, attachments: [video] })
  const { body } = await testServer.anonymous.get(`/api/v1/statuses/${statusId}`)
  const [attachment] = body.media_attachments
  const player = await open(`/media/${attachment.id}/player`)
  assert.match(player.body, /<video\s[^>]*src="[^"]+"[^>]*\scontrols[\s\S]*aria-label="A heron"/)
})

test('VI1 VI10 hidden media, and media that belong to no post, get the same response as unknown ones', async () => {
  const [unattached, hidden] = [await upload(), await upload()]
  await postWith(hidden.id, 'private')
  const deleted = await upload()
  const statusId = await postWith(deleted.id, 'public')
  await ada.client.delete(`/api/v1/statuses/${statusId}`)
  for (const part of ['', '/player']) {
    const unknown = await open(`/media/4040404${part}`)
    assert.equal(unknown.statusCode, 404)
    for (const { id } of [unattached, hidden, deleted]) {
      const answer = await open(`/media/${id}${part}`)
      assert.deepEqual([answer.statusCode, answer.body], [404, unknown.body])
    }
    assert.equal((await open(`/media/x${part}`)).statusCode, 404)
  }
})
