import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { blockDomainAsStaff, unblockDomainAsStaff, unlimit, unsuspend } from '../../../../test/features/moderation.ts'
import { countReadRowsOfWrites } from '../../../../test/performance/count-read-rows.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { applyDomainBlocks } from './apply-domain-blocks.ts'
import { findDomainBlockProgress } from './domain-block-progress.ts'

// Its jobs are not run, so that the tests take the steps one by one.
const idle = await openTestServer({ effects: false })
const working = await openTestServer()
after(async () => Promise.all([idle.close(), working.close()]))
type Ctx = typeof idle.ctx

async function createAccounts({ db }: Ctx, { domain, count }: { domain: string; count: number }): Promise<void> {
  await sql`with added as (
      insert into accounts (username, domain, uri, url)
      select 'a' || n, ${domain}::text, 'https://' || ${domain}::text || '/' || n, '' from generate_series(1, ${count}::int) n
      returning id)
    insert into account_stats (account_id) select id from added`.execute(db)
}

async function countSuspended({ db }: Ctx): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from accounts where suspended_at is not null`.execute(db)
  return rows[0]!.n
}

test('a block of a domain with many accounts is applied in steps, each of which can be the last before a crash', async () => {
  const { ctx } = idle
  await createAccounts(ctx, { domain: 'near.test', count: 300 })
  await createAccounts(ctx, { domain: 'huge.test', count: 1_200 })
  const nextSteps: string[] = []
  const step = (after: string) => {
    const write: Ctx['write'] = (work) =>
      ctx.write((tx) =>
        work({
          ...tx,
          emit: (name, payload) => {
            if (name === 'domain_block.accounts_due') nextSteps.push((payload as { after: string }).after)
          },
        }),
      )
    return applyDomainBlocks({ ...ctx, write }, { domain: 'huge.test', after })
  }
  await blockDomainAsStaff(ctx, 'huge.test', { severity: 'suspend' })
  await step('0')
  assert.deepEqual([await countSuspended(ctx), nextSteps.length], [500, 1])
  const progress = await findDomainBlockProgress(ctx, { domain: 'Huge.test' })
  assert.deepEqual([progress.state, progress.finishedAt], ['running', null])
  assert.ok(progress.part > 0.3 && progress.part < 0.7, `${progress.part}`)
  const [second] = nextSteps as [string]
  await step(second)
  assert.equal(await countSuspended(ctx), 1_000)
  // A worker that crashes after the commit of a step takes it again.
  const version = sql<{ sum: string }>`select sum(version) from accounts`
  const before = (await version.execute(ctx.db)).rows
  await step(second)
  assert.deepEqual((await version.execute(ctx.db)).rows, before)
  assert.equal(nextSteps[1], nextSteps[2])
  // A step that fails changes nothing, and is not continued.
  const write: Ctx['write'] = (work) =>
    ctx.write(async (tx) => {
      await work(tx)
      throw new Error('crash')
    })
  await assert.rejects(applyDomainBlocks({ ...ctx, write }, { domain: 'huge.test', after: nextSteps[2]! }), /crash/)
  assert.equal(await countSuspended(ctx), 1_000)
  let at = nextSteps[2]!
  for (let steps = 0; ; steps += 1) {
    assert.ok(steps < 3)
    const known = nextSteps.length
    await step(at)
    if (nextSteps.length === known) break
    at = nextSteps.at(-1)!
  }
  assert.equal(await countSuspended(ctx), 1_200)
})

test('workers take all steps, and a block that is removed meanwhile leaves no account suspended', async () => {
  const { ctx } = working
  await createAccounts(ctx, { domain: 'huge.test', count: 1_700 })
  await blockDomainAsStaff(ctx, 'huge.test', { severity: 'suspend' })
  await working.waitForJobs()
  assert.equal(await countSuspended(ctx), 1_700)
  await unblockDomainAsStaff(ctx, 'huge.test')
  await blockDomainAsStaff(ctx, 'huge.test', { severity: 'suspend' })
  await unblockDomainAsStaff(ctx, 'huge.test')
  await working.waitForJobs()
  assert.equal(await countSuspended(ctx), 0)
})

test('an account that the staff unlimited or unsuspended stays so until no block applies to its domain', async () => {
  const { ctx } = working
  await createAccounts(ctx, { domain: 'fair.test', count: 2 })
  const accounts = () =>
    ctx.db
      .selectFrom('accounts')
      .select(['id', 'silenced_at', 'suspended_at'])
      .where('domain', '=', 'fair.test')
      .orderBy('id')
      .execute()
  const states = async () =>
    (await accounts()).map((one) => `${one.silenced_at ? 'limited' : ''}${one.suspended_at ? 'suspended' : ''}`)
  const block = async (severity: 'silence' | 'suspend', publicComment = '') => {
    await blockDomainAsStaff(ctx, 'fair.test', { severity, publicComment })
    await working.waitForJobs()
  }
  const { id: accountId } = (await accounts())[0]!
  await block('silence')
  await unlimit(ctx, { accountId })
  await block('silence', 'changed')
  assert.deepEqual(await states(), ['', 'limited'])
  await block('suspend')
  await unsuspend(ctx, { accountId })
  await block('suspend', 'changed')
  assert.deepEqual(await states(), ['', 'suspended'])
  await block('silence')
  assert.deepEqual(await states(), ['', 'limited'])
  await unblockDomainAsStaff(ctx, 'fair.test')
  await working.waitForJobs()
  await block('silence')
  assert.deepEqual(await states(), ['limited', 'limited'])
})

test('a block of a domain with few accounts or none is applied without reading all accounts', async () => {
  const { ctx } = idle
  await createAccounts(ctx, { domain: 'crowd.test', count: 3_000 })
  await createAccounts(ctx, { domain: 'few.test', count: 3 })
  await sql`analyze accounts`.execute(ctx.db)
  await blockDomainAsStaff(ctx, 'few.test', { severity: 'suspend' })
  for (const domain of ['few.test', 'none.test']) {
    const { counting, rowsOfWrites } = countReadRowsOfWrites(ctx, { table: 'accounts' })
    await applyDomainBlocks(counting, { domain })
    assert.ok(Math.max(...rowsOfWrites) < 100, `${domain}: ${rowsOfWrites.join()}`)
    assert.equal((await findDomainBlockProgress(ctx, { domain })).state, 'finished')
  }
  const { rows } = await sql`select from accounts where domain = 'few.test' and suspended_at is not null`.execute(
    ctx.db,
  )
  assert.equal(rows.length, 3)
})
