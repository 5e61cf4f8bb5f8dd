// Slow: runs random sequences of actions.
import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openBusyScene, openScene, scenes } from '../../test/features/status-scenes.ts'
import type { Scene, StatusPayload, StatusPayloads } from '../../test/features/status-scenes.ts'
import { countQueries } from '../../test/performance/count-queries.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import type { Ctx } from '../domain/context.ts'
import { effects } from '../effects.ts'
import type { BatchedEffect } from './effect-table.ts'

// The tests run the effects themselves. With a fixed clock, groups of notifications have the same keys in each run.
const startedAt = new Date()
const testServer = await openTestServer({ effects: false, now: () => startedAt, env: { DB_POOL: '10' } })
after(testServer.close)
const { ctx } = testServer
const staff = await testServer.createUser({ role: 'owner', scopes: 'read write admin:read admin:write' })

type StatusEffect = BatchedEffect<Partial<StatusPayload>>

/** The effects of an event that work on sets. */
function batchedEffectsOf(event: keyof StatusPayloads): [string, StatusEffect][] {
  const row = Object.entries(effects[event]) as [string, Partial<StatusEffect>][]
  return row.filter((entry): entry is [string, StatusEffect] => entry[1].runBatch !== undefined)
}

/** Runs all effects of the events, and returns what they have published and emitted, each once. */
async function runEffects(payloads: StatusPayloads, run: (effect: StatusEffect) => typeof effect.runBatch) {
  const published = new Set<string>()
  const emitted: string[] = []
  const recording = {
    ...ctx,
    bus: {
      ...ctx.bus,
      publish: async (topic: string, message: unknown) => {
        for (const one of describe(topic, message)) published.add(one)
      },
    },
    write: (work: Parameters<Ctx['write']>[0]) =>
      ctx.write((tx) => {
        const emit: typeof tx.emit = (name, payload, at) => {
          // Deliveries of several activities to one host are started once for each transaction.
          emitted.push(name === 'deliveries.due' ? JSON.stringify(payload) : `${name} ${at !== undefined}`)
          tx.emit(name, payload, at)
        }
        return work({ ...tx, emit })
      }),
  } as unknown as Ctx
  for (const event of ['status.created', 'status.reblogged', 'status.favourited'] as const) {
    for (const [, effect] of batchedEffectsOf(event)) await run(effect)(recording, payloads[event])
  }
  const hosts = new Set(emitted.filter((name) => name.startsWith('{')))
  return {
    published: [...published].toSorted(),
    emitted: [...hosts, ...emitted.filter((name) => !name.startsWith('{'))].toSorted(),
  }
}
const oneByOne =
  (effect: StatusEffect): StatusEffect['runBatch'] =>
  async (context, payloads) => {
    for (const payload of payloads) await effect(context, payload)
  }
const atOnce = (effect: StatusEffect): StatusEffect['runBatch'] => effect.runBatch

/** Describes a message, without the ids that differ in each run. */
function describe(topic: string, message: unknown): string[] {
  const { statusId, accountId, accountIds, listIds } = message as Record<string, string> &
    Record<'accountIds' | 'listIds', string[]>
  return (accountIds ?? listIds ?? [accountId ?? '']).map((id) => `${topic} ${statusId ?? ''} ${id}`)
}

const TABLES = [
  'feed_entries',
  'list_entries',
  'notifications',
  'notification_requests',
  'account_conversation_statuses',
  'account_conversations',
  'deliveries',
  'sent_activities',
  'status_search_entries',
  'webhook_deliveries',
]

/** Returns all rows that the effects write, without the ids that differ in each run, and deletes them. */
async function takeWrittenRows(): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ written: Record<string, unknown> }>`select jsonb_build_object(
    'feeds', (select jsonb_agg(to_jsonb(e) order by account_id, status_id) from feed_entries e),
    'lists', (select jsonb_agg(to_jsonb(e) order by list_id, status_id) from list_entries e),
    'notifications', (select jsonb_agg(to_jsonb(n) - 'id' order by account_id, type, from_account_id, status_id) from notifications n),
    'requests', (select jsonb_agg(jsonb_build_array(account_id, from_account_id) order by account_id, from_account_id)
      from notification_requests),
    'conversations', (select jsonb_agg(jsonb_build_array(account_id, conversation_id, participant_ids, last_status_id, unread,
        array(select status_id from account_conversation_statuses where account_conversation_id = c.id order by 1))
      order by account_id, conversation_id, participants_digest) from account_conversations c),
    'deliveries', (select jsonb_agg(jsonb_build_array(a.uri, a.account_id, a.status_id, a.body, d.inbox_url, d.domain)
      order by a.uri, d.inbox_url) from sent_activities a join deliveries d on d.activity_id = a.id),
    'search', (select jsonb_agg(jsonb_build_array(status_id, status_version, lexemes::text) order by status_id)
      from status_search_entries),
    'webhooks', (select jsonb_agg(jsonb_build_array(webhook_id, occurrence, body) order by webhook_id, occurrence)
      from webhook_deliveries)) as written`.execute(ctx.db)
  for (const table of TABLES) await sql`delete from ${sql.ref(table)}`.execute(ctx.db)
  return rows[0]!.written
}

beforeEach(takeWrittenRows)

suite('the effects of many statuses', () => {
  test('write, publish and emit the same at once as one by one', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (actions) => {
        await takeWrittenRows()
        const scene = await openScene(testServer)
        for (const step of actions) await scene.perform(step)
        const separate = await runEffects(scene.payloads, oneByOne)
        const separateRows = await takeWrittenRows()
        const together = await runEffects(scene.payloads, atOnce)
        assert.deepEqual(together, separate)
        assert.deepEqual(await takeWrittenRows(), separateRows)
      }),
      { numRuns: 15, endOnFailure: true },
    )
  })

  test('are the same after two batches at the same time, in different orders', async () => {
    const scene = await openBusyScene(testServer, 2)
    await runEffects(scene.payloads, atOnce)
    const once = await takeWrittenRows()
    assert.deepEqual(
      Object.keys(once).filter((name) => once[name] === null),
      ['requests', 'webhooks'],
    )
    const bothOrders =
      (effect: StatusEffect): StatusEffect['runBatch'] =>
      async (context, payloads) => {
        await Promise.all([effect.runBatch(context, payloads), effect.runBatch(context, payloads.toReversed())])
      }
    await runEffects({ ...scene.payloads, 'status.reblogged': [] }, bothOrders)
    // Which of two reblogs of one status a feed gets depends on the order.
    await runEffects(
      { 'status.created': [], 'status.favourited': [], 'status.reblogged': scene.payloads['status.reblogged'] },
      atOnce,
    )
    assert.deepEqual(await takeWrittenRows(), once)
  })

  test('take a number of statements that does not depend on the number of statuses', async (t) => {
    const { body: webhook } = await staff.client.post('/api/v1/admin/webhooks', {
      url: 'https://hooks.test/statuses',
      events: ['status.created'],
    })
    t.after(() => staff.client.delete(`/api/v1/admin/webhooks/${webhook.id}`))
    const [few, many] = [await openBusyScene(testServer, 2), await openBusyScene(testServer, 8)]
    const quiet = { ...ctx, bus: { ...ctx.bus, publish: async () => undefined } }
    // Fills the caches of the webhooks' bodies.
    for (const scene of [few, many]) await runEffects(scene.payloads, atOnce)
    await takeWrittenRows()
    for (const event of ['status.created', 'status.reblogged', 'status.favourited'] as const) {
      for (const [name, effect] of batchedEffectsOf(event)) {
        const countOf = (scene: Scene) => countQueries(() => effect.runBatch(quiet, scene.payloads[event]))
        const [small, large] = [await countOf(few), await countOf(many)]
        assert.ok(small > 1 || name === 'publishPublic', `${name} has nothing to do`)
        assert.equal(large, small, `${name} of ${event}`)
      }
    }
  })

  test('cost one query if there is nothing to do', async () => {
    const scene = await openScene(testServer)
    const author = { from: 3, to: 0, pick: 0 }
    for (let n = 0; n < 5; n += 1) await scene.perform({ action: 'private', ...author })
    for (const [name, effect] of batchedEffectsOf('status.created')) {
      if (name === 'fanOutStatus' || name === 'indexStatus') continue
      assert.equal(await countQueries(() => effect.runBatch(ctx, scene.payloads['status.created'])), 1, name)
    }
  })

  test('fail together with one that fails, and write nothing', async () => {
    const scene = await openBusyScene(testServer, 1)
    for (const event of ['status.created', 'status.reblogged', 'status.favourited'] as const) {
      const broken = { statusId: 'broken', reblogId: 'broken', favouriteId: 'broken', accountId: 'broken' }
      for (const [name, effect] of batchedEffectsOf(event)) {
        if (name.startsWith('trigger')) continue // without a webhook, it reads no status
        await assert.rejects(effect.runBatch(ctx, [...scene.payloads[event], broken]), /invalid input syntax/, name)
      }
    }
    assert.ok(Object.values(await takeWrittenRows()).every((rows) => rows === null))
  })
})
