// Slow: runs random scenarios.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { limit, suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { NOTIFICATION_TYPES } from './notification-types.ts'
import type { NotificationType } from './notification-types.ts'
import { createNotifications } from './create-notifications.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' }, effects: false })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx

type Target =
  | 'their status'
  | 'own status'
  | 'collection'
  | 'report'
  | 'severance'
  | 'warning'
  | 'annual report'
  | 'nothing'

/** Each type: its target, and whether a policy can filter it or the recipient can cause it. */
const TYPES: Record<NotificationType, [target: Target, trait?: 'filterable' | 'self-caused']> = {
  mention: ['their status', 'filterable'],
  status: ['their status'],
  update: ['their status'],
  poll: ['their status', 'self-caused'],
  quote: ['their status', 'filterable'],
  reblog: ['own status', 'filterable'],
  favourite: ['own status', 'filterable'],
  quoted_update: ['own status'],
  follow: ['nothing', 'filterable'],
  follow_request: ['nothing', 'filterable'],
  added_to_collection: ['collection', 'filterable'],
  collection_update: ['collection'],
  'admin.sign_up': ['nothing'],
  'admin.report': ['report'],
  severed_relationships: ['severance', 'self-caused'],
  moderation_warning: ['warning', 'self-caused'],
  annual_report: ['annual report', 'self-caused'],
}
const MAILED = ['mention', 'quote', 'follow', 'follow_request', 'reblog', 'favourite']

const flag = fc.boolean()
const rarely = fc.nat({ max: 7 }).map((n) => n === 0)
const policyAction = fc.constantFrom('accept', 'filter', 'drop')

/** All circumstances that decide about a notification. */
const facts = fc.record({
  isSelfCaused: rarely,
  recipientSuspended: rarely,
  senderSuspended: rarely,
  isStaff: flag,
  remote: flag,
  domainBlocked: rarely,
  blocks: rarely,
  blockedBy: rarely,
  mute: fc.constantFrom('none', 'none', 'none', 'all', 'posts', 'over'),
  conversationMuted: rarely,
  other: fc.constantFrom('none', 'none', 'none', 'fine', 'blocked', 'muted', 'muted posts'),
  follows: flag,
  followedSince: fc.constantFrom('never', 'today', 'long ago'),
  isNew: flag,
  isLimited: flag,
  isBot: flag,
  isDirect: flag,
  /** Whether a status that is notified for another reason mentions the recipient. */
  isMentioned: flag,
  isPermitted: rarely,
  policy: fc.record({
    following: policyAction,
    followers: policyAction,
    newAccounts: policyAction,
    direct: policyAction,
    limited: policyAction,
    bots: policyAction,
  }),
})
type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never

/** For self-caused types, the recipient causes half of the notifications. */
const factsOf = (kind: NotificationType): fc.Arbitrary<Facts> =>
  TYPES[kind][1] === 'self-caused' ? fc.tuple(facts, flag).map(([f, isSelfCaused]) => ({ ...f, isSelfCaused })) : facts

type Outcome = 'nothing' | 'filtered' | 'shown'

/** Predicts the outcome, independently of the SQL. */
function predictOutcome(kind: NotificationType, f: Facts): Outcome {
  const [target, trait] = TYPES[kind]
  const isMention = kind === 'mention'
  const isMutedConversation = f.conversationMuted && target.endsWith('status')
  if (f.recipientSuspended) return 'nothing'
  if (f.isSelfCaused) return trait === 'self-caused' && !isMutedConversation ? 'shown' : 'nothing'
  if (f.senderSuspended) return 'nothing'
  // An account blocked by the author sees no status, not even by staff, and a direct message only if it is mentioned.
  if (target === 'their status' && (f.blockedBy || (f.isDirect && !isMention && !f.isMentioned))) return 'nothing'
  if (isMention && f.isStaff && !f.remote) return 'shown'
  if (kind === 'admin.report') return f.mute === 'all' ? 'nothing' : 'shown'
  if (f.remote && f.domainBlocked && !f.follows) return 'nothing'
  if (f.blocks || f.blockedBy || f.mute === 'all' || isMutedConversation) return 'nothing'
  if (isMention && (f.other === 'blocked' || f.other === 'muted')) return 'nothing'
  if (trait !== 'filterable' || f.isPermitted) return 'shown'
  const { policy } = f
  const actions = [
    !f.follows && policy.following,
    f.followedSince !== 'long ago' && policy.followers,
    !f.follows && f.isNew && policy.newAccounts,
    !f.follows && (isMention || kind === 'quote') && f.isDirect && policy.direct,
    !f.follows && f.isLimited && policy.limited,
    !f.follows && f.isBot && policy.bots,
  ]
  if (actions.includes('drop')) return 'nothing'
  return actions.includes('filter') ? 'filtered' : 'shown'
}

type Query = ReturnType<typeof sql>
const run = async (query: Query) => (await query.execute(db)).rows
const idOf = async (query: Query) => ((await run(query)) as { id: string }[])[0]!.id

/** Creates the target of the notification. */
async function createTarget(
  target: Target,
  { recipient, author, isDirect }: { recipient: string; author: TestUser; isDirect: boolean },
) {
  const from = author.accountId
  switch (target) {
    case 'their status':
    case 'own status': {
      const body = { status: 'words', visibility: isDirect ? 'direct' : 'public' }
      return { statusId: (await author.client.post('/api/v1/statuses', body)).body.id as string }
    }
    case 'collection':
      return {
        collectionId: await idOf(sql`insert into collections (account_id, name) values (${from}, 'c') returning id`),
      }
    case 'report':
      return {
        reportId: await idOf(
          sql`insert into reports (account_id, target_account_id) values (${from}, ${from}) returning id`,
        ),
      }
    case 'severance':
      return {
        severanceId: await idOf(sql`insert into relationship_severance_events (account_id, type, target_name, cause)
          values (${recipient}, 'domain_block', 'far.test', 'c') returning id`),
      }
    case 'warning':
      return {
        warningId: await idOf(
          sql`insert into account_warnings (target_account_id, action) values (${recipient}, 'none') returning id`,
        ),
      }
    case 'annual report':
      return {
        annualReportId: await idOf(sql`insert into annual_reports (account_id, year, requested_at)
          values (${recipient}, 2026, now()) returning id`),
      }
    case 'nothing':
      return {}
  }
}

/** Creates the relationships between the sender and the recipient, and the properties of the sender. */
async function createRelationships(f: Facts, { from, to }: { from: string; to: string }): Promise<void> {
  if (f.mute !== 'none') {
    await run(sql`insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
      values (${to}, ${from}, ${f.mute !== 'posts'}, ${f.mute === 'over' ? new Date(0) : null})`)
  }
  if (f.blocks) await run(sql`insert into blocks (account_id, target_account_id) values (${to}, ${from})`)
  if (f.blockedBy) await run(sql`insert into blocks (account_id, target_account_id) values (${from}, ${to})`)
  if (f.follows) await run(sql`insert into follows (account_id, target_account_id) values (${to}, ${from})`)
  if (f.followedSince !== 'never') {
    const at = new Date(Date.now() - (f.followedSince === 'today' ? 0 : 4 * 86_400_000))
    await run(sql`insert into follows (account_id, target_account_id, created_at) values (${from}, ${to}, ${at})`)
  }
  if (f.isPermitted) {
    await run(sql`insert into notification_permissions (account_id, from_account_id) values (${to}, ${from})`)
  }
  if (f.senderSuspended) await suspend(ctx, { accountId: from })
  if (f.isLimited) await limit(ctx, { accountId: from })
  await run(sql`update accounts set actor_type = ${f.isBot ? 'Service' : 'Person'},
    created_at = ${new Date(Date.now() - (f.isNew ? 0 : 40 * 86_400_000))} where id = ${from}`)
  if (f.remote) {
    await run(sql`delete from users where account_id = ${from}`)
    await run(sql`update accounts set domain = 'far.test', uri = ${`https://far.test/${from}`} where id = ${from}`)
  }
}

async function runScenario(kind: NotificationType, f: Facts): Promise<Outcome> {
  const [recipient, another, third] = await Promise.all([
    testServer.createUser(),
    testServer.createUser({ role: f.isStaff ? 'owner' : 'user' }),
    testServer.createUser(),
  ])
  const sender = f.isSelfCaused ? recipient : another
  const [to, from, other] = [recipient.accountId, sender.accountId, third.accountId]
  const [target] = TYPES[kind]
  const author = target === 'own status' ? recipient : sender
  const targetIds: { statusId?: string } = await createTarget(target, { recipient: to, author, isDirect: f.isDirect })
  const mention = (id: string) =>
    run(sql`insert into mentions (status_id, account_id) values (${targetIds.statusId}, ${id})`)
  if (kind === 'mention' || (target === 'their status' && f.isMentioned)) await mention(to)
  if (targetIds.statusId !== undefined && f.other !== 'none') await mention(other)
  if (f.conversationMuted) {
    await run(sql`insert into conversation_mutes (account_id, conversation_id)
      select ${to}, conversation_id from statuses where id = ${targetIds.statusId ?? null}`)
  }
  if (f.other === 'blocked') await run(sql`insert into blocks (account_id, target_account_id) values (${to}, ${other})`)
  if (f.other.startsWith('muted')) {
    await run(sql`insert into mutes (account_id, target_account_id, hide_notifications)
      values (${to}, ${other}, ${f.other === 'muted'})`)
  }
  if (f.domainBlocked) await run(sql`insert into account_domain_blocks (account_id, domain) values (${to}, 'far.test')`)
  if (!f.isSelfCaused) await createRelationships(f, { from, to })
  if (f.recipientSuspended) await suspend(ctx, { accountId: to })
  const { policy } = f
  await run(sql`insert into notification_policies values (${to}, ${policy.following}, ${policy.followers}, ${policy.newAccounts},
    ${policy.direct}, ${policy.limited}, ${policy.bots})`)
  await run(sql`update users set mail_types = ${MAILED}::text[] where account_id = ${to}`)
  const notify = () =>
    ctx.write((tx) => createNotifications(tx, { type: kind, fromAccountId: from, recipientIds: [to], ...targetIds }))
  // An effect may run twice, even concurrently.
  await Promise.all([notify(), notify()])
  return outcomeOf(kind, to)
}

/** Returns the outcome, and checks the streaming and mail jobs and the notification request. */
async function outcomeOf(kind: NotificationType, to: string): Promise<Outcome> {
  const rows = (await run(sql`select id, filtered from notifications where account_id = ${to} and type = ${kind}`)) as {
    id: string
    filtered: boolean
  }[]
  assert.ok(rows.length <= 1)
  const [row] = rows
  const outcome = row === undefined ? 'nothing' : row.filtered ? 'filtered' : 'shown'
  const jobs = (await run(sql`
    select j.name from jobs j
    where j.payload ->> 'notificationId' = ${row?.id ?? ''} order by 1`)) as { name: string }[]
  const mailJobs = MAILED.includes(kind) ? ['mailNotification'] : []
  assert.deepEqual(
    jobs.map(({ name }) => name),
    outcome === 'shown' ? [...mailJobs, 'notification.created'] : [],
    kind,
  )
  const requests = await run(sql`select from notification_requests where account_id = ${to}`)
  assert.equal(requests.length, outcome === 'filtered' && ['mention', 'quote'].includes(kind) ? 1 : 0, kind)
  return outcome
}

test('FP5 VI4 the outcome of every type of notification follows from all circumstances in their order of precedence', async () => {
  const seen = new Set<string>()
  for (const kind of Object.keys(NOTIFICATION_TYPES) as NotificationType[]) {
    await fc.assert(
      fc.asyncProperty(factsOf(kind), async (f) => {
        const expected = predictOutcome(kind, f)
        seen.add(expected)
        assert.equal(await runScenario(kind, f), expected, kind)
      }),
      { numRuns: kind === 'mention' ? 80 : 20 },
    )
  }
  assert.equal(seen.size, 3)
})
