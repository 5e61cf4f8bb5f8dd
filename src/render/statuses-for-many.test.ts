import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { openWorld } from '../../test/world.ts'
import { renderStatusForMany } from './statuses-for-many.ts'
import { renderStatusMap } from './statuses.ts'

const world = await openWorld({ effects: false })
const { ctx } = world
after(world.close)

test('a status for many is, for each of them, what it is for them alone', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, async () => world.createPerson()))
  const [author, booster, fan] = people
  const { body: status } = await author!.client.post('/api/v1/statuses', { status: 'Hello' })
  const { body: boost } = await booster!.client.post(`/api/v1/statuses/${status.id}/reblog`)
  await fan!.client.post(`/api/v1/statuses/${status.id}/favourite`)
  await author!.client.post(`/api/v1/statuses/${status.id}/favourite`)
  const viewerIds = people.map((person) => person.accountId)
  for (const [id, likenesses] of [
    [status.id, 4],
    [boost.id, 4],
  ]) {
    const renderings = await renderStatusForMany(ctx, { id, viewerIds })
    assert.equal(renderings.length, likenesses)
    assert.deepEqual(renderings.flatMap((one) => one.viewerIds).toSorted(), viewerIds.toSorted())
    for (const { status: rendering, viewerIds: likewise } of renderings) {
      for (const viewerId of likewise) {
        assert.equal(rendering, (await renderStatusMap(ctx, { ids: [id], viewerId })).get(id))
      }
    }
  }
})

test('a status that is not there is rendered for nobody', async () => {
  const { accountId } = await world.createPerson()
  assert.deepEqual(await renderStatusForMany(ctx, { id: '404', viewerIds: [accountId] }), [])
  assert.deepEqual(await renderStatusForMany(ctx, { id: '404', viewerIds: [] }), [])
})
