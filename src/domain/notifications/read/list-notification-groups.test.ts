import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx

const TYPES = ['favourite', 'follow', 'follow_request'] as const

interface TestNotification {
  kind: (typeof TYPES)[number]
  group: number
  sender: number
  filtered: boolean
}

/** With few types and groups, most groups have many notifications; with many, few. */
const notificationLists: fc.Arbitrary<TestNotification[]> = fc
  .tuple(fc.subarray([...TYPES], { minLength: 1 }), fc.nat({ max: 4 }))
  .chain(([kinds, groups]) =>
    fc.array(
      fc.record({
        kind: fc.constantFrom(...kinds),
        group: fc.nat({ max: groups }),
        sender: fc.nat({ max: 3 }),
        filtered: fc.nat({ max: 9 }).map((n) => n === 0),
      }),
      { minLength: 1, maxLength: 90, size: 'max' },
    ),
  )

const request = fc.record({
  cursor: fc.constantFrom('max_id', 'since_id', 'min_id'),
  /** The index of the notification that is the cursor. */
  at: fc.nat({ max: 90 }),
  limit: fc.integer({ min: 1, max: 4 }),
  types: fc.option(fc.subarray([...TYPES], { minLength: 1 })),
  groupedTypes: fc.option(fc.subarray([...TYPES])),
  sender: fc.option(fc.nat({ max: 3 })),
})
type GroupsRequest = typeof request extends fc.Arbitrary<infer T> ? T : never

const [me, ...senders] = await Promise.all(Array.from({ length: 5 }, () => testServer.createUser()))
// The sender of a quarter of the notifications is suspended.
await suspend(testServer.ctx, senders[3]!)

/** Every fifth status is private, and the recipient does not follow its author. */
const isHiddenStatus = (n: number) => n % 5 === 4

/** Inserts the notifications; each has another status, so that the unique index is not violated. */
async function insertNotifications(all: readonly TestNotification[]): Promise<number[]> {
  await sql`delete from notifications`.execute(db)
  await sql`truncate markers`.execute(db)
  const rows = all.map(({ kind, group, sender, filtered }, n) => ({
    kind,
    key: kind === 'follow_request' ? null : `${kind}-${group}`,
    sender: senders[sender]!.accountId,
    filtered,
    at: new Date(n * 1_000),
  }))
  const { rows: inserted } = await sql<{ id: string }>`
    insert into notifications (account_id, from_account_id, type, status_id, group_key, filtered, created_at)
    select ${me!.accountId}, sender, kind, s.id, key, filtered, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n
        (sender bigint, kind text, key text, filtered boolean, at timestamptz),
      lateral (select id from statuses order by id offset extract(epoch from at)::int limit 1) s
    order by at returning id`.execute(db)
  return inserted.map(({ id }) => Number(id))
}

/** Predicts the newest notification of each group, newest first, independently of the SQL. */
function expectedGroups(
  all: readonly TestNotification[],
  ids: readonly number[],
  { types, groupedTypes, sender }: GroupsRequest,
): number[] {
  const newest = new Map<string, number>()
  for (const [n, one] of all.entries()) {
    if (one.filtered || one.sender === 3 || isHiddenStatus(n) || (types && !types.includes(one.kind))) continue
    if (sender !== null && one.sender !== sender) continue
    const grouped = one.kind !== 'follow_request' && (groupedTypes === null || groupedTypes.includes(one.kind))
    newest.set(grouped ? `${one.kind} ${one.group}` : `alone ${n}`, ids[n]!)
  }
  return [...newest.values()].toSorted((a, b) => b - a)
}

test('pages in both directions contain each group once, at the position of its newest notification', async () => {
  const client = me!.client
  for (let n = 0; n < 91; n += 1) {
    const [author, visibility] = isHiddenStatus(n) ? [senders[0]!, 'private'] : [me!, 'public']
    await sql`insert into statuses (account_id, uri, url, visibility)
      values (${author.accountId}, ${`test:${n}`}, '', ${visibility})`.execute(db)
  }
  await fc.assert(
    fc.asyncProperty(notificationLists, fc.array(request, { minLength: 5, maxLength: 5 }), async (all, requests) => {
      const ids = await insertNotifications(all)
      for (const one of requests) {
        const at = ids[one.at % ids.length]!
        const query = new URLSearchParams({ limit: String(one.limit), [one.cursor]: String(at) })
        for (const type of one.types ?? []) query.append('types[]', type)
        // An empty parameter cannot be sent, so a type that is never grouped stands for it.
        for (const type of one.groupedTypes ?? []) query.append('grouped_types[]', type)
        if (one.groupedTypes?.length === 0) query.append('grouped_types[]', 'follow_request')
        if (one.sender !== null) query.append('account_id', senders[one.sender]!.accountId)
        const groups = expectedGroups(all, ids, one)
        const above = groups.filter((id) => id > at)
        const expected = {
          max_id: groups.filter((id) => id < at).slice(0, one.limit),
          since_id: above.slice(0, one.limit),
          min_id: above.slice(-one.limit),
        }[one.cursor]
        const { status, body } = await client.get(`/api/v2/notifications?${query.toString()}`)
        assert.equal(status, 200)
        const found = body.notification_groups.map(
          (group: { most_recent_notification_id: number }) => group.most_recent_notification_id,
        )
        assert.deepEqual(found, expected, query.toString())
        await sql`
            insert into markers (account_id, timeline, last_read_id) values (${me!.accountId}, 'notifications', ${at})
            on conflict (account_id, timeline) do update set last_read_id = excluded.last_read_id`.execute(db)
        const unread = await client.get(`/api/v2/notifications/unread_count?${query.toString()}`)
        assert.equal(unread.body.count, Math.min(above.length, one.limit), query.toString())
      }
    }),
    { numRuns: 28 },
  )
})
