import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { jsonText, parseEntity } from '../../lib/entity-json.ts'
import { openWorld } from '../../../test/world.ts'
import { renderStatusForMany } from './render-status-for-many.ts'
import { renderStatusMap } from './render-statuses.ts'

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
    const renderings = await ctx.read(renderStatusForMany, { id, viewerIds })
    assert.equal(renderings.length, likenesses)
    assert.deepEqual(renderings.flatMap((one) => one.viewerIds).toSorted(), viewerIds.toSorted())
    for (const { status: rendering, viewerIds: likewise } of renderings) {
      for (const viewerId of likewise) {
        const alone = (await ctx.read(renderStatusMap, { ids: [id], viewerId })).get(id)
        assert.equal(jsonText(rendering), jsonText(alone!))
      }
    }
  }
})

test('a quote for many is, for each of them, what it is for them alone; for nobody in particular only its state differs', async () => {
  const people = await Promise.all(Array.from({ length: 7 }, async () => world.createPerson()))
  const [author, quoter, blocked, blocking, muting, fan] = people
  const { body: quoted } = await author!.client.post('/api/v1/statuses', { status: 'Hello' })
  await fan!.client.post(`/api/v1/statuses/${quoted.id}/favourite`)
  const { body: quote } = await quoter!.client.post('/api/v1/statuses', { status: 'Look', quoted_status_id: quoted.id })
  const { body: outer } = await fan!.client.post('/api/v1/statuses', { status: 'Well', quoted_status_id: quote.id })
  const { body: boost } = await quoter!.client.post(`/api/v1/statuses/${outer.id}/reblog`)
  await author!.client.post(`/api/v1/accounts/${blocked!.accountId}/block`)
  await blocking!.client.post(`/api/v1/accounts/${author!.accountId}/block`)
  await muting!.client.post(`/api/v1/accounts/${author!.accountId}/mute`)
  const viewerIds = people.map((person) => person.accountId)
  for (const { id } of [quoted, quote, outer, boost]) {
    const renderings = await ctx.read(renderStatusForMany, { id, viewerIds })
    assert.deepEqual(renderings.flatMap((one) => one.viewerIds).toSorted(), viewerIds.toSorted())
    for (const { status, viewerIds: likewise } of renderings) {
      for (const viewerId of likewise) {
        const alone = (await ctx.read(renderStatusMap, { ids: [id], viewerId })).get(id)
        assert.equal(jsonText(status), jsonText(alone!))
      }
    }
  }
  const impersonal = await ctx.read(renderStatusForMany, { id: quote.id, viewerIds, impersonal: true })
  const shown = impersonal.map(({ status, viewerIds: likewise }) => ({
    ...parseEntity(status),
    seenBy: likewise.length,
  }))
  const states = new Map(
    shown.map(({ quote: one, seenBy }) => {
      assert.ok(one && 'quoted_status' in one)
      return [one.state, [one.quoted_status?.id, seenBy]]
    }),
  )
  assert.deepEqual(
    states,
    new Map([
      ['accepted', [quoted.id, 4]],
      ['blocked_account', [quoted.id, 1]],
      ['muted_account', [quoted.id, 1]],
      ['unauthorized', [undefined, 1]],
    ]),
  )
  for (const status of shown) assert.equal('favourited' in status, false)
})

test('a status that is not there is rendered for nobody', async () => {
  const { accountId } = await world.createPerson()
  assert.deepEqual(await ctx.read(renderStatusForMany, { id: '404', viewerIds: [accountId] }), [])
  assert.deepEqual(await ctx.read(renderStatusForMany, { id: '404', viewerIds: [] }), [])
})
