import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { renderStatusForMany } from './render-status-for-many.ts'
import { parseEntity } from '../../lib/entity-json.ts'

const world = await openWorld({ effects: false })
const { db } = world.ctx
after(world.close)

test('everybody sees what a status was written with, unless its author keeps that to themselves', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const { body: app } = await world.anonymous.post('/api/v1/apps', {
    client_name: 'A pen',
    redirect_uris: 'https://pen.test/back',
    website: 'https://pen.test',
  })
  await sql`update access_tokens set application_id = ${app.id} where user_id = ${alice.userId}`.execute(db)
  const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'ink' })
  const { body: boost } = await bob.client.post(`/api/v1/statuses/${status.id}/reblog`)
  const see = async () => {
    const answers = await Promise.all(
      [alice.client, bob.client, world.anonymous].flatMap((client) => [
        client.get(`/api/v1/statuses/${status.id}`).then(({ body }) => body),
        client.get(`/api/v1/statuses/${boost.id}`).then(({ body }) => body.reblog),
      ]),
    )
    for (const answer of answers) assertOnWire('Status', answer)
    return answers.map(({ application }) => application?.name ?? null)
  }
  const streamed = async () => {
    const viewerIds = [alice.accountId, bob.accountId]
    const shared = await world.ctx.read(renderStatusForMany, { id: boost.id, viewerIds })
    const seenBy = (id: string) => shared.find((one) => one.viewerIds.includes(id))!.status
    return viewerIds.map((id) => parseEntity(seenBy(id)).reblog?.application?.name ?? null)
  }
  assert.deepEqual(status.application, { name: 'A pen', website: 'https://pen.test' })
  assert.deepEqual(await see(), ['A pen', 'A pen', 'A pen', 'A pen', 'A pen', 'A pen'])
  assert.deepEqual(await streamed(), ['A pen', 'A pen'])
  await sql`update users set show_application = false where id = ${alice.userId}`.execute(db)
  assert.deepEqual(await see(), ['A pen', 'A pen', null, null, null, null])
  assert.deepEqual(await streamed(), ['A pen', null])
})
