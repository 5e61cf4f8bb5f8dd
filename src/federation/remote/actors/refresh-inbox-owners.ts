import type { Ctx } from '../../../domain/context.ts'
import { withParents } from '../../../domain/domain-blocks/find-domain-block.ts'
import { statement } from '../../../platform/db/statement.ts'
import { hostOf } from '../../wire/read-values.ts'
import { createBudget } from '../fetch/budget.ts'
import { isExpectedFailure } from '../fetch/remote-errors.ts'
import { REFRESH_AFTER_HOURS, resolveActor } from './resolve-actor.ts'

/** How many accounts one job refreshes. The next delivery to the inbox causes the refresh of further ones. */
const MAX_ACCOUNTS = 20
const TIMEOUT_MS = 60_000
const FETCHES_PER_ACCOUNT = 3

// An index finds accounts by the domain of their handle, which is the host of the inbox or a parent domain of it.
const find = statement<{
  params: { domains: readonly string[]; inboxUrls: readonly string[]; now: Date }
  row: { uri: string }
}>(
  `select a.uri from accounts a
   where a.domain = any($domains) and (a.inbox_url = any($inboxUrls) or a.shared_inbox_url = any($inboxUrls))
     and a.suspended_at is null and (a.refreshed_at is null
       or a.refreshed_at < $now::timestamptz - make_interval(hours => ${REFRESH_AFTER_HOURS}))
     and exists (select from follows f where f.account_id = a.id)
   order by a.refreshed_at nulls first, a.id limit ${MAX_ACCOUNTS}`,
)

/**
 * Effect: fetches the profiles of followers whose inbox does not exist any more, each at most once a day. Their server
 * may have another inbox for them, which other activities would show only if the accounts were active here; a profile
 * that is gone ends their follows.
 */
export async function refreshInboxOwners(ctx: Ctx, { inboxUrls }: { inboxUrls: readonly string[] }): Promise<void> {
  const domains = [...new Set(inboxUrls.flatMap((url) => withParents(hostOf(url) ?? '')))]
  const accounts = await find(ctx.db, { domains, inboxUrls, now: ctx.now() })
  const budget = createBudget({ fetches: MAX_ACCOUNTS * FETCHES_PER_ACCOUNT, timeoutMs: TIMEOUT_MS })
  for (const { uri } of accounts) {
    await resolveActor(ctx, { uri, budget }).catch((err: unknown) => {
      if (!isExpectedFailure(err)) throw err
      ctx.log.debug({ err }, 'Follower could not be refreshed after a delivery to a missing inbox')
    })
  }
}
