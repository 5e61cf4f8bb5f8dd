import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { HOST, createRemoteAccount, createRemoteStatus } from '../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { parseEntity } from '../../lib/json/json-content.ts'
import { renderStatuses } from '../statuses/render-statuses.ts'
import { renderStatusForMany } from '../statuses/render-status-for-many.ts'

const testServer = await openTestServer({ env: { MEDIA_CACHE_GB: '0' }, effects: false })
after(testServer.close)
const { ctx } = testServer

const emoji = (shortcode: string) => ({ uri: null, shortcode, imageUrl: `${HOST}/${shortcode}.png`, updatedAt: null })

/** Creates a remote status with media, emojis and a poll, by an account with an avatar and an emoji in its name. */
async function createRichStatus(): Promise<string> {
  const accountId = await createRemoteAccount(ctx, {
    displayName: ':face:',
    emojis: [emoji('face')],
    avatar: { url: `${HOST}/face.png`, description: '' },
  })
  return createRemoteStatus(ctx, {
    accountId,
    content: '<p>:cat:</p>',
    emojis: [emoji('cat'), emoji('dog')],
    poll: { options: [':dog:', 'b'], tallies: [1], multiple: true, votersCount: null, expiresAt: null },
    attachments: [
      {
        type: 'video',
        url: `${HOST}/film.mp4`,
        mediaType: 'video/mp4',
        description: null,
        blurhash: null,
        focus: null,
        width: 16,
        height: 9,
        previewUrl: `${HOST}/film.jpg`,
      },
    ],
  })
}

test('a page of remote statuses takes as many statements as one of them', async () => {
  const [{ accountId: otherId }, { accountId: viewerId }] = [
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const ids: string[] = []
  for (let n = 0; n < 12; n += 1) ids.push(await createRichStatus())
  const one = await countQueries(() => ctx.read(renderStatuses, { ids: ids.slice(0, 1), viewerId: otherId }))
  const many = await countQueries(() => ctx.read(renderStatuses, { ids: ids.slice(1), viewerId }))
  assert.equal(many, one)
  const again = await countQueries(() => ctx.read(renderStatuses, { ids: ids.slice(1), viewerId }))
  assert.equal(again, 1)
})

test('without a remote media cache, remote media and emojis have remote URLs, for one or many viewers', async () => {
  const id = await createRichStatus()
  const { accountId: viewerId } = await testServer.createUser()
  const [text] = await ctx.read(renderStatuses, { ids: [id], viewerId })
  const status = parseEntity(text!)
  assertEntity('Status', status)
  assert.deepEqual(
    status.emojis.map(({ url }) => url),
    [`${HOST}/cat.png`, `${HOST}/dog.png`],
  )
  assert.deepEqual(
    [status.account.emojis[0]?.shortcode, status.account.avatar, status.account.acct.endsWith('@far.test')],
    ['face', `${HOST}/face.png`, true],
  )
  const { poll } = status
  assert.deepEqual(
    [
      poll?.multiple,
      poll?.voters_count,
      poll?.expires_at,
      poll?.expired,
      poll?.emojis.map(({ shortcode }) => shortcode),
    ],
    [true, null, null, false, ['dog']],
  )
  assert.deepEqual(poll?.options, [
    { title: ':dog:', votes_count: 1 },
    { title: 'b', votes_count: 0 },
  ])
  const [video] = status.media_attachments
  assert.deepEqual(
    [video?.url, video?.preview_url, video?.preview_remote_url],
    [`${HOST}/film.mp4`, `${HOST}/film.jpg`, `${HOST}/film.jpg`],
  )
  const [shared] = await ctx.read(renderStatusForMany, { id, viewerIds: [viewerId] })
  assert.deepEqual(parseEntity(shared!.status), status)
})
