import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { untilLockWaits } from '../../../../test/features/lock-waits.ts'
import type { ClientResponse } from '../../../../test/http/client.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { findStaffMember } from '../../access/permissions.ts'
import type { Tx } from '../../context.ts'
import { takeStatusAction } from '../../moderation/statuses/moderate-statuses.ts'
import { deleteStatus } from '../write/delete-status.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

const author = await testServer.createUser()
const reader = await testServer.createUser()
const { userId } = await testServer.createUser({ role: 'moderator' })
const staff = (await findStaffMember(ctx, { userId }))!

const actAsStaff = (tx: Tx, action: 'delete' | 'restore', statusId: string) =>
  takeStatusAction(tx, { accountId: author.accountId, by: staff, action, statusIds: [statusId] })

/** Returns the response to a request that waits for the transaction of a deletion. */
async function waitDuring(deletion: (tx: Tx) => Promise<unknown>, request: () => Promise<ClientResponse>) {
  let response: Promise<ClientResponse> | undefined
  await ctx.write(async (tx) => {
    await deletion(tx)
    response = request()
    await untilLockWaits(testServer, 1)
  })
  return response!
}

for (const [action, user] of [
  ['reblog', reader],
  ['favourite', reader],
  ['bookmark', reader],
  ['mute', reader],
  ['pin', author],
] as const) {
  test(`the action "${action}" finds no status if it waits for a deletion by staff, and the restored status lacks it`, async () => {
    const { body } = await author.client.post('/api/v1/statuses', { status: 'words' })
    const act = () => user.client.post(`/api/v1/statuses/${body.id}/${action}`)
    assert.equal((await waitDuring((tx) => actAsStaff(tx, 'delete', body.id), act)).status, 404)
    await ctx.write((tx) => actAsStaff(tx, 'restore', body.id))
    const { body: restored } = await user.client.get(`/api/v1/statuses/${body.id}`)
    const { reblogged, favourited, bookmarked, muted, pinned, reblogs_count, favourites_count } = restored
    assert.deepEqual(
      [reblogged, favourited, bookmarked, muted, pinned ?? false, reblogs_count, favourites_count],
      [false, false, false, false, false, 0, 0],
    )
    const { rows } = await sql`select from statuses where reblog_of_id = ${body.id}`.execute(ctx.db)
    assert.equal(rows.length, 0)
  })
}

test('the mute of a conversation finds no status if it waits for a deletion by the author', async () => {
  const { body } = await author.client.post('/api/v1/statuses', { status: 'words' })
  const response = await waitDuring(
    (tx) => deleteStatus(tx, { accountId: author.accountId, statusId: body.id }),
    () => reader.client.post(`/api/v1/statuses/${body.id}/mute`),
  )
  assert.equal(response.status, 404)
})
