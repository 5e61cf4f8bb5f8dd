import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../../../test/federation/fediverse.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { uploadFile } from '../../../../../../test/http/upload-file.ts'
import { createImage } from '../../../../../../test/media/images.ts'
import type { AdminActionImpact } from '../../../../../entities/admin/accounts/admin-action-impact.ts'

const DAY_MS = 86_400_000

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, deliver, uriOf, followEachOther } = fediverse
const remoteHost = peer.host('remote.test')
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'admin:read admin:write' })

const request = (accountId: string, type?: string) =>
  moderator.client.get(`/api/v1/admin/accounts/${accountId}/action_impact`, type === undefined ? {} : { type })

async function impactOf(accountId: string, type: string): Promise<AdminActionImpact> {
  const { status, body } = await request(accountId, type)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminActionImpact', body)
  return body as AdminActionImpact
}

/** Returns the counts that are not 0, without the suffix. */
function countsOf(impact: AdminActionImpact): Record<string, number> {
  const { media_files_bytes: _bytes, counts_limit: _limit, ...rest } = impact
  const counts = Object.entries(rest).filter(([name, value]) => name.endsWith('_count') && value !== 0)
  return Object.fromEntries(counts.map(([name, value]) => [name.slice(0, -'_count'.length), value as number]))
}

suite('the impact of an action', () => {
  test('against a local account counts what the action affects, and changes nothing', async () => {
    const [user, fan] = [await testServer.createUser(), await testServer.createUser()]
    const [actor, second] = [await remoteHost.createActor('one'), await remoteHost.createActor('two')]
    for (const one of [actor, second]) await deliver(one, one.activity('Follow', uriOf(user)))
    await followEachOther(user, actor)
    await fan.client.post(`/api/v1/accounts/${user.accountId}/follow`)
    const { body: list } = await fan.client.post('/api/v1/lists', { title: 'Friends' })
    await fan.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [user.accountId] })
    await fan.client.post('/api/v1/reports', { account_id: user.accountId })
    const { body: media } = await uploadFile(user, await createImage('png'))
    await user.client.post('/api/v1/statuses', { status: 'A picture', media_ids: [media.id] })
    const at = new Date(Date.now() + 600_000).toISOString()
    await user.client.post('/api/v1/statuses', { status: 'Later', scheduled_at: at })
    await sql`with app as (
        insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash)
        values ('App', '{}', '{read}', 'impact', sha256('secret')) returning id)
      update access_tokens set application_id = app.id from app where user_id = ${user.userId}`.execute(
      testServer.ctx.db,
    )
    await testServer.waitForJobs()

    const access = { open_reports: 1, applications: 1, scheduled_statuses: 1 }
    const relationships = { local_followers: 1, remote_followers: 2, remote_following: 1, lists: 1, servers: 1 }
    const content = { statuses: 1, media_files: 1 }
    const suspension = await impactOf(user.accountId, 'suspend')
    assert.deepEqual(countsOf(suspension), { ...access, ...relationships, ...content })
    assert.ok(suspension.media_files_bytes > 0)
    assert.equal(suspension.reversible, true)
    assert.ok(Math.abs(Date.parse(suspension.reversible_until!) - Date.now() - 30 * DAY_MS) < 60_000)
    const deletion = await impactOf(user.accountId, 'delete')
    assert.deepEqual(countsOf(deletion), countsOf(suspension))
    assert.deepEqual([deletion.reversible, deletion.reversible_until], [false, null])
    const warning = await impactOf(user.accountId, 'none')
    assert.deepEqual([countsOf(warning), warning.reversible], [{}, false])
    assert.deepEqual(countsOf(await impactOf(user.accountId, 'disable')), access)
    for (const type of ['sensitive', 'silence']) {
      const impact = await impactOf(user.accountId, type)
      assert.deepEqual(countsOf(impact), { ...content, open_reports: 1 }, type)
      assert.deepEqual([impact.reversible, impact.reversible_until], [true, null])
    }
    assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${user.accountId}`)).body.suspended, undefined)
  })

  test('against a suspended account is reversible until its data are deleted', async () => {
    const user = await testServer.createUser()
    await moderator.client.post(`/api/v1/admin/accounts/${user.accountId}/action`, { type: 'suspend' })
    const { body: account } = await moderator.client.get(`/api/v1/admin/accounts/${user.accountId}`)
    assert.equal((await impactOf(user.accountId, 'suspend')).reversible_until, account.purge_at)
  })

  test('against a remote account counts the follows that end for good', async () => {
    const user = await testServer.createUser()
    const actor = await remoteHost.createActor('three')
    const accountId = await followEachOther(user, actor)
    await deliver(actor, actor.activity('Follow', uriOf(user)))
    assert.deepEqual(countsOf(await impactOf(accountId, 'suspend')), {
      local_followers: 1,
      local_following: 1,
      lost_follows: 1,
      servers: 1,
    })
    for (const type of ['none', 'disable']) assert.equal((await request(accountId, type)).status, 403)
  })

  test('is refused for unknown accounts and types', async () => {
    const user = await testServer.createUser()
    assert.equal((await request('4711', 'suspend')).status, 404)
    assert.equal((await request(user.accountId, 'explode')).status, 422)
    assert.equal((await request(user.accountId)).status, 400)
    assert.equal((await user.client.get(`/api/v1/admin/accounts/${user.accountId}/action_impact`)).status, 403)
  })
})
