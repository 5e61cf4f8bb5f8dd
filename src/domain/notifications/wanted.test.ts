// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { everyJob } from '../../../test/every-job.ts'
import { KINDS } from './kinds.ts'
import type { NotificationKind } from './kinds.ts'
import { notify } from './notify.ts'

const world = await openWorld({ env: { DB_POOL: '10' }, effects: false })
after(world.close)
const { ctx } = world
const { db } = ctx

type About =
  | 'their status'
  | 'own status'
  | 'collection'
  | 'report'
  | 'severance'
  | 'warning'
  | 'annual report'
  | 'nothing'

/** Every kind: what it is about; whether a policy may hold it back; whether one may have caused it oneself. */
const TOLD: Record<NotificationKind, [about: About, more?: 'held back' | 'from oneself']> = {
  mention: ['their status', 'held back'],
  status: ['their status'],
  update: ['their status'],
  poll: ['their status', 'from oneself'],
  quote: ['their status', 'held back'],
  reblog: ['own status', 'held back'],
  favourite: ['own status', 'held back'],
  quoted_update: ['own status'],
  follow: ['nothing', 'held back'],
  follow_request: ['nothing', 'held back'],
  added_to_collection: ['collection', 'held back'],
  collection_update: ['collection'],
  'admin.sign_up': ['nothing'],
  'admin.report': ['report'],
  severed_relationships: ['severance', 'from oneself'],
  moderation_warning: ['warning', 'from oneself'],
  annual_report: ['annual report', 'from oneself'],
}
const MAILED = ['mention', 'quote', 'follow', 'follow_request', 'reblog', 'favourite']

const flag = fc.boolean()
const rarely = fc.nat({ max: 7 }).map((n) => n === 0)
const verdict = fc.constantFrom('accept', 'filter', 'drop')

/** All that bears on whether somebody is told of what somebody else did, or they themselves. */
const facts = fc.record({
  toOneself: rarely,
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
  /** By a post that is told of for another reason. */
  isNamed: flag,
  isPermitted: rarely,
  policy: fc.record({
    following: verdict,
    followers: verdict,
    news: verdict,
    direct: verdict,
    limited: verdict,
    bots: verdict,
  }),
})
type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never

/** What one may tell oneself of, one does half of the time. */
const factsOf = (kind: NotificationKind): fc.Arbitrary<Facts> =>
  TOLD[kind][1] === 'from oneself' ? fc.tuple(facts, flag).map(([f, toOneself]) => ({ ...f, toOneself })) : facts

type Outcome = 'nothing' | 'filtered' | 'shown'

/** What should come of it, said in another way than the statement says it. */
function judge(kind: NotificationKind, f: Facts): Outcome {
  const [about, more] = TOLD[kind]
  const isMention = kind === 'mention'
  const isQuiet = f.conversationMuted && about.endsWith('status')
  if (f.recipientSuspended) return 'nothing'
  if (f.toOneself) return more === 'from oneself' && !isQuiet ? 'shown' : 'nothing'
  if (f.senderSuspended) return 'nothing'
  // Blocked by the author, nobody sees a post, not even what the staff says; nor a direct one that does not name them.
  if (about === 'their status' && (f.blockedBy || (f.isDirect && !isMention && !f.isNamed))) return 'nothing'
  if (kind === 'admin.report' || (isMention && f.isStaff && !f.remote)) return 'shown'
  if (f.remote && f.domainBlocked && !f.follows) return 'nothing'
  if (f.blocks || f.blockedBy || f.mute === 'all' || isQuiet) return 'nothing'
  if (isMention && (f.other === 'blocked' || f.other === 'muted')) return 'nothing'
  if (more !== 'held back' || f.isPermitted) return 'shown'
  const { policy } = f
  const said = [
    !f.follows && policy.following,
    f.followedSince !== 'long ago' && policy.followers,
    !f.follows && f.isNew && policy.news,
    !f.follows && (isMention || kind === 'quote') && f.isDirect && policy.direct,
    !f.follows && f.isLimited && policy.limited,
    !f.follows && f.isBot && policy.bots,
  ]
  if (said.includes('drop')) return 'nothing'
  return said.includes('filter') ? 'filtered' : 'shown'
}

type Query = ReturnType<typeof sql>
const run = async (query: Query) => (await query.execute(db)).rows
const idOf = async (query: Query) => ((await run(query)) as { id: string }[])[0]!.id

/** Writes down what is told of. */
async function describe(about: About, { me, author, isDirect }: { me: string; author: Person; isDirect: boolean }) {
  const from = author.accountId
  switch (about) {
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
        severanceId: await idOf(sql`insert into relationship_severances (account_id, type, target_name, cause)
          values (${me}, 'domain_block', 'far.test', 'c') returning id`),
      }
    case 'warning':
      return {
        warningId: await idOf(
          sql`insert into account_warnings (target_account_id, action) values (${me}, 'none') returning id`,
        ),
      }
    case 'annual report':
      return {
        annualReportId: await idOf(sql`insert into annual_reports (account_id, year, asked_at)
          values (${me}, 2026, now()) returning id`),
      }
    case 'nothing':
      return {}
  }
}

/** What is between the one who caused it and the one who is to be told, and what the first one is. */
async function relate(f: Facts, { from, to }: { from: string; to: string }): Promise<void> {
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
  await run(sql`update accounts set suspended_at = ${f.senderSuspended ? new Date() : null},
    silenced_at = ${f.isLimited ? new Date() : null}, actor_type = ${f.isBot ? 'Service' : 'Person'},
    created_at = ${new Date(Date.now() - (f.isNew ? 0 : 40 * 86_400_000))} where id = ${from}`)
  if (f.remote) {
    await run(sql`delete from users where account_id = ${from}`)
    await run(sql`update accounts set domain = 'far.test', uri = ${`https://far.test/${from}`} where id = ${from}`)
  }
}

async function happen(kind: NotificationKind, f: Facts): Promise<Outcome> {
  const [me, another, third] = await Promise.all([
    world.createPerson(),
    world.createPerson({ role: f.isStaff ? 'owner' : 'user' }),
    world.createPerson(),
  ])
  const sender = f.toOneself ? me : another
  const [to, from, other] = [me.accountId, sender.accountId, third.accountId]
  const [about] = TOLD[kind]
  const author = about === 'own status' ? me : sender
  const told: { statusId?: string } = await describe(about, { me: to, author, isDirect: f.isDirect })
  const name = (id: string) => run(sql`insert into mentions (status_id, account_id) values (${told.statusId}, ${id})`)
  if (kind === 'mention' || (about === 'their status' && f.isNamed)) await name(to)
  if (told.statusId !== undefined && f.other !== 'none') await name(other)
  if (f.conversationMuted) {
    await run(sql`insert into conversation_mutes (account_id, conversation_id)
      select ${to}, conversation_id from statuses where id = ${told.statusId ?? null}`)
  }
  if (f.other === 'blocked') await run(sql`insert into blocks (account_id, target_account_id) values (${to}, ${other})`)
  if (f.other.startsWith('muted')) {
    await run(sql`insert into mutes (account_id, target_account_id, hide_notifications)
      values (${to}, ${other}, ${f.other === 'muted'})`)
  }
  if (f.domainBlocked) await run(sql`insert into account_domain_blocks (account_id, domain) values (${to}, 'far.test')`)
  if (!f.toOneself) await relate(f, { from, to })
  if (f.recipientSuspended) await run(sql`update accounts set suspended_at = now() where id = ${to}`)
  const { policy } = f
  await run(sql`insert into notification_policies values (${to}, ${policy.following}, ${policy.followers}, ${policy.news},
    ${policy.direct}, ${policy.limited}, ${policy.bots})`)
  await run(sql`update users set mail_kinds = ${MAILED}::text[] where account_id = ${to}`)
  const tell = () => ctx.write((tx) => notify(tx, { kind, fromAccountId: from, recipientIds: [to], ...told }))
  // Whatever tells of it may do so twice, even at once.
  await Promise.all([tell(), tell()])
  return outcomeOf(kind, to)
}

/** What came of it, and whether the rest follows: streams, pushes and letters of what is shown, a request for words. */
async function outcomeOf(kind: NotificationKind, to: string): Promise<Outcome> {
  const rows = (await run(sql`select id, filtered from notifications where account_id = ${to} and type = ${kind}`)) as {
    id: string
    filtered: boolean
  }[]
  assert.ok(rows.length <= 1)
  const [row] = rows
  const outcome = row === undefined ? 'nothing' : row.filtered ? 'filtered' : 'shown'
  const jobs = (await run(sql`
    select j.name from ${everyJob} j
    where j.payload ->> 'notificationId' = ${row?.id ?? ''} order by 1`)) as { name: string }[]
  const letter = MAILED.includes(kind) ? ['mailNotification'] : []
  assert.deepEqual(
    jobs.map(({ name }) => name),
    outcome === 'shown' ? [...letter, 'notification.created'] : [],
    kind,
  )
  const requests = await run(sql`select from notification_requests where account_id = ${to}`)
  assert.equal(requests.length, outcome === 'filtered' && ['mention', 'quote'].includes(kind) ? 1 : 0, kind)
  return outcome
}

test('FP5 VI4 whether somebody is told of any kind, at once, on request or not, follows from every reason in its order', async () => {
  const seen = new Set<string>()
  for (const kind of Object.keys(KINDS) as NotificationKind[]) {
    await fc.assert(
      fc.asyncProperty(factsOf(kind), async (f) => {
        const expected = judge(kind, f)
        seen.add(expected)
        assert.equal(await happen(kind, f), expected, kind)
      }),
      { numRuns: kind === 'mention' ? 80 : 20 },
    )
  }
  assert.equal(seen.size, 3)
})
