import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { jsonText, parseEntity } from '../../lib/json/json-content.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { renderStatusForMany } from './render-status-for-many.ts'
import { renderStatusMap } from './render-statuses.ts'

const testServer = await openTestServer({ effects: false })
const { ctx } = testServer
after(testServer.close)

test('a status rendered for many viewers is for each of them equal to its single rendering', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, async () => testServer.createUser()))
  const [author, reblogger, fan] = users
  const { body: status } = await author!.client.post('/api/v1/statuses', { status: 'Hello' })
  const { body: reblog } = await reblogger!.client.post(`/api/v1/statuses/${status.id}/reblog`)
  await fan!.client.post(`/api/v1/statuses/${status.id}/favourite`)
  await author!.client.post(`/api/v1/statuses/${status.id}/favourite`)
  const viewerIds = users.map((user) => user.accountId)
  for (const [id, renderingCount] of [
    [status.id, 4],
    [reblog.id, 4],
  ]) {
    const renderings = await ctx.read(renderStatusForMany, { id, viewerIds })
    assert.equal(renderings.length, renderingCount)
    assert.deepEqual(renderings.flatMap((rendering) => rendering.viewerIds).toSorted(), viewerIds.toSorted())
    for (const { status: rendering, viewerIds: renderedFor } of renderings) {
      for (const viewerId of renderedFor) {
        const alone = (await ctx.read(renderStatusMap, { ids: [id], viewerId })).get(id)
        assert.equal(jsonText(rendering), jsonText(alone!))
      }
    }
  }
})

test('a quote for many viewers equals its single renderings; the impersonal one differs only in state', async () => {
  const users = await Promise.all(Array.from({ length: 7 }, async () => testServer.createUser()))
  const [author, quoter, blocked, blocking, muting, fan] = users
  const { body: quoted } = await author!.client.post('/api/v1/statuses', { status: 'Hello' })
  await fan!.client.post(`/api/v1/statuses/${quoted.id}/favourite`)
  const { body: quote } = await quoter!.client.post('/api/v1/statuses', { status: 'Look', quoted_status_id: quoted.id })
  const { body: outer } = await fan!.client.post('/api/v1/statuses', { status: 'Well', quoted_status_id: quote.id })
  const { body: reblog } = await quoter!.client.post(`/api/v1/statuses/${outer.id}/reblog`)
  await author!.client.post(`/api/v1/accounts/${blocked!.accountId}/block`)
  await blocking!.client.post(`/api/v1/accounts/${author!.accountId}/block`)
  await muting!.client.post(`/api/v1/accounts/${author!.accountId}/mute`)
  const viewerIds = users.map((user) => user.accountId)
  for (const { id } of [quoted, quote, outer, reblog]) {
    const renderings = await ctx.read(renderStatusForMany, { id, viewerIds })
    assert.deepEqual(renderings.flatMap((rendering) => rendering.viewerIds).toSorted(), viewerIds.toSorted())
    for (const { status, viewerIds: renderedFor } of renderings) {
      for (const viewerId of renderedFor) {
        const alone = (await ctx.read(renderStatusMap, { ids: [id], viewerId })).get(id)
        assert.equal(jsonText(status), jsonText(alone!))
      }
    }
  }
  const impersonal = await ctx.read(renderStatusForMany, { id: quote.id, viewerIds, impersonal: true })
  const shown = impersonal.map(({ status, viewerIds: renderedFor }) => ({
    ...parseEntity(status),
    viewerCount: renderedFor.length,
  }))
  const states = new Map(
    shown.map(({ quote: shownQuote, viewerCount }) => {
      assert.ok(shownQuote && 'quoted_status' in shownQuote)
      return [shownQuote.state, [shownQuote.quoted_status?.id, viewerCount]]
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

test('a missing status has no renderings', async () => {
  const { accountId } = await testServer.createUser()
  assert.deepEqual(await ctx.read(renderStatusForMany, { id: '404', viewerIds: [accountId] }), [])
  assert.deepEqual(await ctx.read(renderStatusForMany, { id: '404', viewerIds: [] }), [])
})
