import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../test/count-queries.ts'
import { HOST, makeRemote, makeRemoteStatus } from '../../../test/remote.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import { parseEntity } from '../../lib/entity-json.ts'
import { renderStatuses } from '../statuses/render-statuses.ts'
import { renderStatusForMany } from '../statuses/render-status-for-many.ts'

const world = await openWorld({ env: { MEDIA_CACHE_GB: '0' }, effects: false })
after(world.close)
const { ctx } = world

const emoji = (shortcode: string) => ({ uri: null, shortcode, imageUrl: `${HOST}/${shortcode}.png`, updatedAt: null })

/** A status with everything that other servers send, by somebody with a face and an emoji in their name. */
async function makeRich(): Promise<string> {
  const accountId = await makeRemote(ctx, {
    displayName: ':face:',
    emojis: [emoji('face')],
    avatar: { url: `${HOST}/face.png`, description: '' },
  })
  return makeRemoteStatus(ctx, {
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

test('a page of statuses of other servers takes as many statements as one of them', async () => {
  const { accountId: viewerId } = await world.createPerson()
  const ids: string[] = []
  for (let n = 0; n < 12; n += 1) ids.push(await makeRich())
  const one = await countQueries(() => ctx.read(renderStatuses, { ids: ids.slice(0, 1), viewerId }))
  const many = await countQueries(() => ctx.read(renderStatuses, { ids: ids.slice(1), viewerId }))
  assert.equal(many, one)
  const again = await countQueries(() => ctx.read(renderStatuses, { ids, viewerId }))
  assert.equal(again, 1)
})

test('without a cache, emojis and pictures of other servers are shown from where they lie, to one as to many', async () => {
  const id = await makeRich()
  const { accountId: viewerId } = await world.createPerson()
  const [text] = await ctx.read(renderStatuses, { ids: [id], viewerId })
  const status = parseEntity(text!)
  assertOnWire('Status', status)
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
  const [film] = status.media_attachments
  assert.deepEqual(
    [film?.url, film?.preview_url, film?.preview_remote_url],
    [`${HOST}/film.mp4`, `${HOST}/film.jpg`, `${HOST}/film.jpg`],
  )
  const [shared] = await ctx.read(renderStatusForMany, { id, viewerIds: [viewerId] })
  assert.deepEqual(parseEntity(shared!.status), status)
})
