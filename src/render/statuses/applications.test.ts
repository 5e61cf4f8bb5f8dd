import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { renderStatusForMany } from './render-status-for-many.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { parseEntity } from '../../lib/json/json-content.ts'

const testServer = await openTestServer({ effects: false })
const { db } = testServer.ctx
after(testServer.close)

const nameOf = ({ application }: Pick<Status, 'application'>) =>
  application === undefined ? 'absent' : application?.name

test('all viewers see the application of a status unless its author hides it, and reblogs have none', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const { body: app } = await testServer.anonymous.post('/api/v1/apps', {
    client_name: 'A pen',
    redirect_uris: 'https://pen.test/back',
    website: 'https://pen.test',
  })
  await sql`update access_tokens set application_id = ${app.id} where user_id = ${alice.userId}`.execute(db)
  const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'ink' })
  const { body: reblog } = await bob.client.post(`/api/v1/statuses/${status.id}/reblog`)
  const see = async () => {
    const responses = await Promise.all(
      [alice.client, bob.client, testServer.anonymous].flatMap((client) => [
        client.get(`/api/v1/statuses/${status.id}`).then(({ body }) => body),
        client.get(`/api/v1/statuses/${reblog.id}`).then(({ body }) => body.reblog),
      ]),
    )
    for (const response of responses) assertEntity('Status', response)
    return responses.map(nameOf)
  }
  const streamed = async () => {
    const viewerIds = [alice.accountId, bob.accountId]
    const shared = await testServer.ctx.read(renderStatusForMany, { id: reblog.id, viewerIds })
    const seenBy = (id: string) => shared.find((rendering) => rendering.viewerIds.includes(id))!.status
    return viewerIds.map((id) => nameOf(parseEntity(seenBy(id)).reblog!))
  }
  assert.equal(reblog.application, null)
  assert.deepEqual(status.application, { name: 'A pen', website: 'https://pen.test' })
  assert.deepEqual(await see(), ['A pen', 'A pen', 'A pen', 'A pen', 'A pen', 'A pen'])
  assert.deepEqual(await streamed(), ['A pen', 'A pen'])
  await sql`update users set show_application = false where id = ${alice.userId}`.execute(db)
  assert.deepEqual(await see(), ['A pen', 'A pen', 'absent', 'absent', 'absent', 'absent'])
  assert.deepEqual(await streamed(), ['A pen', 'absent'])
})
