import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import { notify } from './notify.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { ctx } = world
const { db } = ctx

const flag = fc.boolean()
const rarely = fc.nat({ max: 7 }).map((n) => n === 0)
const verdict = fc.constantFrom('accept', 'filter', 'drop')

/** All that bears on whether somebody is told of what somebody else did. */
const facts = fc.record({
  kind: fc.constantFrom('mention', 'favourite', 'status'),
  recipientSuspended: rarely,
  senderSuspended: rarely,
  isStaff: rarely,
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

/** What should come of it, said in another way than the statement says it. */
function judge(f: Facts): 'nothing' | 'filtered' | 'shown' {
  if (f.recipientSuspended || f.senderSuspended) return 'nothing'
  // Blocked by the author, nobody sees a post, not even what the staff says.
  if (f.blockedBy && f.kind !== 'favourite') return 'nothing'
  if (f.conversationMuted) return 'nothing'
  if (f.kind === 'status' && f.isDirect) return 'nothing'
  const overrides = f.isStaff && !f.remote && f.kind === 'mention'
  if (overrides) return 'shown'
  if (f.remote && f.domainBlocked && !f.follows) return 'nothing'
  if (f.blocks || f.blockedBy || f.mute === 'all') return 'nothing'
  if (f.kind === 'mention' && (f.other === 'blocked' || f.other === 'muted')) return 'nothing'
  if (f.kind === 'status' || f.isPermitted) return 'shown'
  const { policy } = f
  const said = [
    !f.follows && policy.following,
    f.followedSince !== 'long ago' && policy.followers,
    !f.follows && f.isNew && policy.news,
    !f.follows && f.kind === 'mention' && f.isDirect && policy.direct,
    !f.follows && f.isLimited && policy.limited,
    !f.follows && f.isBot && policy.bots,
  ]
  if (said.includes('drop')) return 'nothing'
  return said.includes('filter') ? 'filtered' : 'shown'
}

async function happen(f: Facts): Promise<'nothing' | 'filtered' | 'shown'> {
  const [me, sender, other] = await Promise.all([
    world.createPerson(),
    world.createPerson({ role: f.isStaff ? 'owner' : 'user' }),
    world.createPerson(),
  ])
  const [to, from, third] = [me.accountId, sender.accountId, other.accountId]
  const author = f.kind === 'favourite' ? me : sender
  const body = { status: 'words', visibility: f.isDirect ? 'direct' : 'public' }
  const statusId: string = (await author.client.post('/api/v1/statuses', body)).body.id
  const run = (query: ReturnType<typeof sql>) => query.execute(db)
  if (f.kind === 'mention') await run(sql`insert into mentions (status_id, account_id) values (${statusId}, ${to})`)
  if (f.other !== 'none') await run(sql`insert into mentions (status_id, account_id) values (${statusId}, ${third})`)
  if (f.other === 'blocked') await run(sql`insert into blocks (account_id, target_account_id) values (${to}, ${third})`)
  if (f.other.startsWith('muted')) {
    await run(sql`insert into mutes (account_id, target_account_id, hide_notifications)
      values (${to}, ${third}, ${f.other === 'muted'})`)
  }
  if (f.mute !== 'none') {
    await run(sql`insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
      values (${to}, ${from}, ${f.mute !== 'posts'}, ${f.mute === 'over' ? new Date(0) : null})`)
  }
  if (f.conversationMuted) {
    await run(sql`insert into conversation_mutes (account_id, conversation_id)
      select ${to}, conversation_id from statuses where id = ${statusId}`)
  }
  if (f.blocks) await run(sql`insert into blocks (account_id, target_account_id) values (${to}, ${from})`)
  if (f.blockedBy) await run(sql`insert into blocks (account_id, target_account_id) values (${from}, ${to})`)
  if (f.follows) await run(sql`insert into follows (account_id, target_account_id) values (${to}, ${from})`)
  if (f.followedSince !== 'never') {
    const at = new Date(Date.now() - (f.followedSince === 'today' ? 0 : 4 * 86_400_000))
    await run(sql`insert into follows (account_id, target_account_id, created_at) values (${from}, ${to}, ${at})`)
  }
  if (f.domainBlocked) await run(sql`insert into account_domain_blocks (account_id, domain) values (${to}, 'far.test')`)
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
  if (f.recipientSuspended) await run(sql`update accounts set suspended_at = now() where id = ${to}`)
  const { policy } = f
  await run(sql`insert into notification_policies values (${to}, ${policy.following}, ${policy.followers}, ${policy.news},
    ${policy.direct}, ${policy.limited}, ${policy.bots})`)
  const notice = { kind: f.kind as 'mention', fromAccountId: from, statusId, recipientIds: [to] }
  // Whatever tells of it may do so twice.
  for (let n = 0; n < 2; n += 1) await ctx.write((tx) => notify(tx, notice))
  const { rows } = await sql<{ filtered: boolean }>`
    select filtered from notifications where account_id = ${to} and type = ${f.kind}`.execute(db)
  assert.ok(rows.length <= 1)
  return rows[0] === undefined ? 'nothing' : rows[0].filtered ? 'filtered' : 'shown'
}

test('FP5 VI4 whether somebody is told, and at once or on request, follows from every reason taken in its order', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(facts, async (f) => {
      const expected = judge(f)
      seen.add(expected)
      assert.equal(await happen(f), expected)
    }),
    { numRuns: 80 },
  )
  assert.equal(seen.size, 3)
})
