import { confirmedAccount } from '../../domain/access/usable-account.ts'
import type { Ctx, Tx } from '../../domain/context.ts'
import { lockAccounts } from '../../domain/core/lock-accounts.ts'
import { recordFollowAccept, recordFollowReject } from '../../domain/relationships/follows/answered-requests.ts'
import { statement } from '../../platform/db/statement.ts'
import { sendUndoOfUnknownFollow } from '../outbox/deliver-relationships.ts'
import { createBudget } from '../remote/fetch/budget.ts'
import { fetchDocument } from '../remote/fetch/fetch-document.ts'
import { isExpectedFailure, RemoteError } from '../remote/fetch/remote-errors.ts'
import type { WireObject } from '../wire/normalize.ts'
import { hostOf, idOf, isSameHost, listOf, objectOf } from '../wire/read-values.ts'
import { digestOfIds } from './follower-digest.ts'

/** The pages of the list that are read at most. */
const MAX_PAGES = 10
/** The Undos that are sent at most: the other server chooses the accounts and the inbox. */
const MAX_UNDOS = 200
const TIMEOUT_MS = 60_000

const findAccount = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId and domain is not null and suspended_at is null`,
)

// The follows of an account that is suspended here stay as they are. An account that is not visible yet sends nothing.
const selectDiffering = statement<{
  params: { accountId: string; uris: readonly string[] }
  row: { id: string; is_listed: boolean }
  notNull: 'is_listed'
}>(
  `select id, is_listed from (
     select a.id, a.uri = any($uris::text[]) as is_listed,
       exists (select from follows f where f.account_id = a.id and f.target_account_id = $accountId) as follows
     from accounts a left join users u on u.account_id = a.id
     where a.domain is null and a.suspended_at is null and ((a.uri = any($uris::text[]) and ${confirmedAccount()})
       or a.id in (select f.account_id from follows f where f.target_account_id = $accountId))
   ) local where is_listed <> follows order by id`,
)

const findPair = statement<{
  params: { accountId: string; targetAccountId: string }
  row: { follows: boolean; requests: boolean }
  notNull: 'follows' | 'requests'
}>(
  `select
     exists (select from follows where account_id = $accountId and target_account_id = $targetAccountId) as follows,
     exists (select from follow_requests where account_id = $accountId and target_account_id = $targetAccountId)
       as requests`,
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
  const differing = await selectDiffering(ctx.db, { accountId, uris })
  let undos = 0
  for (const { id, is_listed: isListed } of differing) {
    if (isListed ? undos === MAX_UNDOS : !isComplete) continue
    const pair = { accountId: id, targetAccountId: accountId }
    if ((await ctx.write((tx) => reconcile(tx, { ...pair, isListed }))) === 'undone') undos += 1
  }
}

async function reconcile(
  tx: Tx,
  { isListed, ...pair }: { accountId: string; targetAccountId: string; isListed: boolean },
): Promise<'undone' | null> {
  // The user may have followed or unfollowed since the list was compared.
  await lockAccounts(tx, { ids: [pair.accountId, pair.targetAccountId] })
  const [{ follows, requests } = { follows: false, requests: false }] = await findPair(tx.db, pair)
  if (isListed && requests) await recordFollowAccept(tx, pair)
  else if (!isListed && follows) await recordFollowReject(tx, pair)
  else if (isListed && !follows) {
    await sendUndoOfUnknownFollow(tx, pair)
    return 'undone'
  }
  return null
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
