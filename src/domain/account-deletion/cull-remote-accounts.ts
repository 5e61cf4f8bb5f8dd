import { statement } from '../../platform/db/statement.ts'
import { FetchFailedError, FetchRefusedError } from '../../platform/fetch/fetch-errors.ts'
import { removeRemoteAccount } from '../accounts/remote/remove-remote-account.ts'
import type { Ctx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { isHostFederating } from '../domain-blocks/federating-domain.ts'

/** An account that its server described within this time exists. */
const MIN_AGE_DAYS = 7

const BATCH_SIZE = 200

/** Concurrent requests. */
const CONCURRENCY = 5

const TIMEOUT_MS = 10_000

interface Candidate {
  id: string
  uri: string
  handle: string
  host: string
}

interface Selection {
  /** In their canonical form; null: all. */
  domains: readonly string[] | null
  before: Date
  limitedFederation: boolean
}

const HOST = `split_part(lower(a.uri), '/', 3)`
const IS_CANDIDATE = `a.domain is not null and a.suspended_at is null and a.updated_at < $before
  and coalesce(a.refreshed_at, a.updated_at) < $before
  and ($domains::text[] is null or a.domain = any($domains::text[])) and ${isHostFederating(HOST)}`
const find = statement<{ params: Selection & { after: string }; row: Candidate }>(
  `select a.id, a.uri, a.username || '@' || a.domain as handle, ${HOST} as host
   from accounts a where a.id > $after and ${IS_CANDIDATE} order by a.id limit ${BATCH_SIZE}`,
)
const count = statement<{ params: Selection; row: { accounts: number } }>(
  `select count(*)::int as accounts from accounts a where ${IS_CANDIDATE}`,
)

export interface CullResult {
  /** The number of requested actors. */
  checked: number
  /** The handles of the accounts that are gone. */
  removed: string[]
  /** The hosts that did not respond. */
  unreachable: string[]
}

/**
 * Requests the actors of remote accounts that were not seen for seven days, and deletes those that are gone (404 or 410).
 * Asks a host that does not respond no further. With `dryRun`, deletes nothing. `onProgress`: called with the part that
 * is done, from 0 to 1.
 */
export async function cullRemoteAccounts(
  ctx: Ctx,
  {
    domains,
    dryRun,
    onProgress,
  }: { domains: readonly string[] | null; dryRun: boolean; onProgress: (done: number) => void },
): Promise<CullResult> {
  const selection = {
    domains,
    before: new Date(ctx.now().getTime() - MIN_AGE_DAYS * 86_400_000),
    limitedFederation: ctx.config.access.limitedFederation,
  }
  const [total] = await count(ctx.db, selection)
  const unreachable = new Set<string>()
  const result: CullResult = { checked: 0, removed: [], unreachable: [] }
  let [examined, after] = [0, '0']
  for (;;) {
    const batch = await find(ctx.db, { ...selection, after })
    const last = batch.at(-1)
    if (last === undefined) return { ...result, unreachable: [...unreachable].toSorted() }
    const remaining = batch.values()
    const checkNext = async () => {
      for (const account of remaining) {
        examined += 1
        if (unreachable.has(account.host)) continue
        const state = await requestActor(ctx, account)
        if (state === 'unreachable') unreachable.add(account.host)
        else result.checked += 1
        if (state === 'gone') result.removed.push(account.handle)
        if (state === 'gone' && !dryRun) await remove(ctx, account)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, checkNext))
    after = last.id
    onProgress(Math.min(1, examined / Math.max(1, total!.accounts)))
  }
}

async function requestActor(ctx: Ctx, { uri }: Candidate): Promise<'gone' | 'exists' | 'unreachable'> {
  try {
    const accept = 'application/activity+json'
    const { status } = await ctx.fetcher.request({
      method: 'HEAD',
      url: uri,
      accept,
      maxBytes: 0,
      timeoutMs: TIMEOUT_MS,
    })
    return status === 404 || status === 410 ? 'gone' : 'exists'
  } catch (err) {
    if (err instanceof FetchFailedError || err instanceof FetchRefusedError) return 'unreachable'
    throw err
  }
}

async function remove(ctx: Ctx, { id, uri, handle }: Candidate): Promise<void> {
  await ctx.write(async (tx) => {
    await removeRemoteAccount(tx, { uri })
    await recordAuditEntry(tx, { by: null, action: 'delete', targetType: 'account', targetId: id, label: handle })
  })
}
