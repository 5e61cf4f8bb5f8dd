import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { confirmImport } from '../../test/features/imports.ts'
import { openBrowserSession } from '../../test/http/open-session.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { enqueueJobs } from '../platform/jobs/job-queue.ts'
import { PostponedError } from '../platform/jobs/postponed-error.ts'
import { relationshipEffects } from './relationship-effects.ts'
import { transferEffects } from './transfer-effects.ts'

// Without workers, the test decides when a job runs.
const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

test('an import of a user or of domain blocks waits while many jobs are due, so that it does not delay the feeds of other users', async () => {
  const [user, bob] = [await testServer.createUser(), await testServer.createUser({ username: 'bob' })]
  const browser = await openBrowserSession(testServer, user)
  const path = await confirmImport(browser, { type: 'muting', content: 'bob\n' })
  await ctx.db.deleteFrom('jobs').execute()
  const payload = { accountId: user.accountId, targetAccountId: bob.accountId }
  await enqueueJobs(
    ctx.db,
    Array.from({ length: 100 }, () => ({ name: 'mergeIntoFeeds', payload, maxAttempts: 1 })),
  )
  const { runImports } = transferEffects['account_import.due']
  await assert.rejects(runImports(ctx, user), (err) => err instanceof PostponedError && err.delayMs === 1_000)
  assert.match((await browser.get(path)).text, /Scheduled/)
  const { applyDomainBlockImport } = relationshipEffects['domain_block_import.confirmed']
  await assert.rejects(applyDomainBlockImport(ctx, { importId: '1', accountId: null }), PostponedError)
  const [job] = await ctx.db.selectFrom('jobs').select('id').limit(1).execute()
  await ctx.db.deleteFrom('jobs').where('id', '=', job!.id).execute()
  await runImports(ctx, user)
  assert.match((await browser.get(path)).text, /In progress: 1 of 1/)
})
