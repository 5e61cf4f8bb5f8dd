import type { Ctx, Tx } from '../../domain/context.ts'
import { recordFollowAccept, recordFollowReject } from '../../domain/relationships/follows/answered-requests.ts'
import { statement } from '../../platform/db/statement.ts'
import { sendUndoOfUnknownFollow } from '../outbox/deliver-relationships.ts'
import { createBudget } from '../remote/fetch/budget.ts'
import { fetchDocument } from '../remote/fetch/fetch-document.ts'
import { isExpectedFailure, RemoteError } from '../remote/fetch/remote-errors.ts'
import type { WireObject } from '../wire/normalise.ts'
import { hostOf, idOf, isSameHost, listOf, objectOf } from '../wire/read-values.ts'
import { digestOfIds } from './follower-digest.ts'

/** The pages of the list that are read at most. */
const MAX_PAGES = 10
const TIMEOUT_MS = 60_000

const findAccount = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId and domain is not null and suspended_at is null`,
)

// A deleted account keeps no follows, and a suspended one is to keep those that it has.
const selectLocal = statement<{
  params: { accountId: string; uris: readonly string[] }
  row: { id: string; is_listed: boolean; follows: boolean; requests: boolean }
}>(
  `select * from (
     select a.id, a.uri = any($uris::text[]) as is_listed,
       exists (select from follows f where f.account_id = a.id and f.target_account_id = $accountId) as follows,
       exists (select from follow_requests r where r.account_id = a.id and r.target_account_id = $accountId) as requests
     from accounts a
     where a.domain is null and a.suspended_at is null and (a.uri = any($uris::text[])
       or a.id in (select f.account_id from follows f where f.target_account_id = $accountId))
   ) local where is_listed <> follows order by id`,
)

/**
 * Effect: reconciles the local followers of a remote account with those that its server lists (FEP-8fcf). A listed
 * account with a follow request follows now, another listed account sends an Undo. The follows of accounts that are not
 * listed end, but only if the list is the one of the digest: otherwise it has changed meanwhile or is incomplete.
 */
export async function reconcileFollowers(
  ctx: Ctx,
  { accountId, url, digest }: { accountId: string; url: string; digest: string },
): Promise<void> {
  const [account] = await findAccount(ctx.db, { accountId })
  if (!account || !isSameHost(url, account.uri)) return
  const uris = await listFollowers(ctx, { url, host: hostOf(account.uri) ?? account.uri })
  if (uris === null) return
  const isComplete = digestOfIds(uris) === digest
  const differing = await selectLocal(ctx.db, { accountId, uris })
  for (const local of differing) {
    await ctx.write((tx) => reconcile(tx, { ...local, targetAccountId: accountId, isComplete }))
  }
}

async function reconcile(
  tx: Tx,
  {
    id: accountId,
    targetAccountId,
    is_listed: isListed,
    requests,
    isComplete,
  }: { id: string; targetAccountId: string; is_listed: boolean; requests: boolean; isComplete: boolean },
): Promise<void> {
  const pair = { accountId, targetAccountId }
  if (isListed && requests) await recordFollowAccept(tx, pair)
  else if (isListed) await sendUndoOfUnknownFollow(tx, pair)
  else if (isComplete) await recordFollowReject(tx, pair)
}

/** Returns the local ids of the list; null if it cannot be fetched now. */
async function listFollowers(ctx: Ctx, { url, host }: { url: string; host: string }): Promise<string[] | null> {
  const budget = createBudget({ fetches: MAX_PAGES + 1, timeoutMs: TIMEOUT_MS, sender: host })
  const ids: string[] = []
  try {
    let page: WireObject | null = await fetchDocument(ctx, { uri: url, budget })
    let next = page['first']
    for (let pages = 0; page !== null; pages += 1) {
      if (pages > MAX_PAGES) throw new RemoteError(`${url} has more than ${MAX_PAGES} pages`)
      ids.push(...[...listOf(page['orderedItems']), ...listOf(page['items'])].map(idOf).filter((id) => id !== null))
      const uri: string | null = next === undefined ? null : idOf(next)
      const embedded: WireObject | null = next === undefined ? null : objectOf(next)
      if (uri !== null && !isSameHost(uri, url)) throw new RemoteError(`${uri} is not a page of ${url}`)
      page = hasItems(embedded) ? embedded : uri === null ? null : await fetchDocument(ctx, { uri, budget })
      next = page?.['next']
    }
  } catch (err) {
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'The followers of a remote account could not be listed')
    return null
  }
  return ids.filter((id) => id.startsWith(`${ctx.config.origin}/`))
}

const hasItems = (page: WireObject | null): boolean =>
  page?.['orderedItems'] !== undefined || page?.['items'] !== undefined
