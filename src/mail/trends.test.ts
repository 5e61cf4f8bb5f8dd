import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ENOUGH, openTrending } from '../../test/trending.ts'
import { openWorld } from '../../test/world.ts'
import { mailTrends } from './trends.ts'

let aheadMs = 0
const world = await openWorld({ effects: false, now: () => new Date(Date.now() + aheadMs) })
after(world.close)
const { ctx } = world
const { people, post, favourite, measure, set } = await openTrending(world)
const owner = await world.createPerson({ role: 'owner' })
const moderator = await world.createPerson({ role: 'moderator' })

const mailsOf = async () => {
  await mailTrends(ctx)
  const { rows } = await sql<{ recipient: string; text: string }>`
    delete from mails where key like 'trends:%' returning recipient, text`.execute(ctx.db)
  return rows
}
async function use(name: string): Promise<void> {
  for (const person of people.slice(0, ENOUGH)) await post(person, `#${name}`)
  // Statuses are of the database's day, and the world may be in the next one.
  await sql`
    update tag_uses set day = (${ctx.now()}::timestamptz at time zone 'UTC')::date
    where tag_id = (select id from tags where name = ${name})`.execute(ctx.db)
}

test('those who decide what trends are asked about each once, and not all the time', async () => {
  assert.deepEqual(await mailsOf(), [])
  await use('first')
  const id = await post(people[0]!, 'Everybody likes it')
  await favourite(id)
  await measure()
  const mails = await mailsOf()
  const [mail] = mails
  assert.deepEqual(mails.map(({ recipient }) => recipient).toSorted(), [owner.email, moderator.email].toSorted())
  assert.match(mail!.text, /^> #first$/m)
  assert.ok(mail!.text.includes(`/${id}\n`))
  await use('second')
  await measure()
  assert.deepEqual(await mailsOf(), [])
  aheadMs = 6 * 3_600_000 + 60_000
  await measure()
  const [next] = await mailsOf()
  assert.match(next!.text, /^> #second$/m)
  assert.doesNotMatch(next!.text, /#first/)
})

test('nobody is asked where trends need no review, or are told to nobody', async () => {
  aheadMs += 7 * 3_600_000
  await sql`delete from trending_tags`.execute(ctx.db)
  await use('third')
  await measure()
  await set('trends-unreviewed', 'on')
  assert.deepEqual(await mailsOf(), [])
  await set('trends-unreviewed', 'off')
  await set('trends', 'off')
  assert.deepEqual(await mailsOf(), [])
  await set('trends', 'on')
  assert.equal((await mailsOf()).length, 2)
})
