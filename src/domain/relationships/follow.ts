import { randomUUID } from 'node:crypto'
import { Forbidden, NotFound, Unprocessable, ValidationFailed } from '../../lib/errors.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Tx } from '../context.ts'
import { blocksDomainOf } from './domain-blocking.ts'
import { lockAccounts } from './lock-accounts.ts'

/** Whoever follows this many may follow more only with followers of their own. */
const MAX_FOLLOWS = 7_500
const FOLLOWS_PER_FOLLOWER = 1.1

/** How somebody wants to follow. What is left out is as before, or for a new follow: boosts, no notices, all languages. */
export interface FollowTerms {
  /** Whether their boosts come into the feed from now on. */
  showReblogs?: boolean | undefined
  /** Whether each new post of theirs is notified. */
  notify?: boolean | undefined
  /** Only posts in these languages; none = all. */
  languages?: readonly string[] | undefined
}

interface Pair {
  from_elsewhere: boolean
  remote: boolean
  locked: boolean
  moved: boolean
  silenced: boolean
  blocked: boolean
  following_count: number
  followers_count: number
}

// Held for sharing: an account that is being unlocked is read as it will be, so no request is left behind in it.
const findPair = statement<{ params: { accountId: string; targetAccountId: string }; row: Pair }>(
  `select self.domain is not null as from_elsewhere, t.domain is not null as remote, t.locked, t.moved_to_account_id is not null as moved,
     self.silenced_at is not null as silenced, st.following_count, st.followers_count,
     exists (select from blocks b where (b.account_id = $accountId and b.target_account_id = $targetAccountId)
       or (b.account_id = $targetAccountId and b.target_account_id = $accountId))
       or ${blocksDomainOf('$accountId', 't')} or ${blocksDomainOf('$targetAccountId', 'self')} as blocked
   from accounts t left join users u on u.account_id = t.id
     join accounts self on self.id = $accountId join account_stats st on st.account_id = self.id
   where t.id = $targetAccountId and ${usableAccount('t')} for share of t`,
)

const change = (table: string) =>
  statement<{
    params: {
      accountId: string
      targetAccountId: string
      showReblogs: boolean | null
      notify: boolean | null
      changesLanguages: boolean
      languages: readonly string[] | null
      asked: string | null
    }
    row: { id: string }
  }>(
    `update ${table} set show_reblogs = coalesce($showReblogs, show_reblogs), notify = coalesce($notify, notify),
       languages = case when $changesLanguages::boolean then $languages::text[] else languages end, uri = coalesce($asked, uri)
     where account_id = $accountId and target_account_id = $targetAccountId returning id`,
  )
const insert = (table: string) =>
  statement<{
    params: {
      accountId: string
      targetAccountId: string
      showReblogs: boolean | null
      notify: boolean | null
      languages: readonly string[] | null
      now: Date
      asked: string | null
    }
  }>(
    `insert into ${table} (account_id, target_account_id, show_reblogs, notify, languages, created_at, uri)
     values ($accountId, $targetAccountId, coalesce($showReblogs, true), coalesce($notify, false), $languages, $now,
       $asked)`,
  )
const changeFollow = change('follows')
const changeRequest = change('follow_requests')
const insertFollow = insert('follows')
const insertRequest = insert('follow_requests')
const count = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `update account_stats set
     following_count = following_count + case when account_id = $accountId then 1 else 0 end,
     followers_count = followers_count + case when account_id = $targetAccountId then 1 else 0 end
   where account_id = any(array[$accountId, $targetAccountId]::bigint[])`,
)

/**
 * Follows somebody, or asks to: those who are locked, those of other servers, and everybody if the asker is silenced,
 * must agree first. Whoever follows or asks already only changes the terms. `uri`: of the activity, where that came
 * from elsewhere; the server that it came from hears whether the follow is in place.
 * `assumed`: the other server has not agreed yet, but very likely will, so the answer shows the follow as in place.
 * @throws Forbidden for oneself, for who has moved, and for a block either way, of the account or its domain · NotFound · Unprocessable above the
 *   limit · ValidationFailed
 */
export async function followAccount(
  tx: Tx,
  {
    accountId,
    targetAccountId,
    terms = {},
    uri,
  }: { accountId: string; targetAccountId: string; terms?: FollowTerms; uri?: string | undefined },
): Promise<{ assumed: boolean }> {
  if (accountId === targetAccountId) throw new Forbidden('Following your own account is not allowed')
  const languages = readLanguages(terms.languages)
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const [pair] = await findPair(tx.db, { accountId, targetAccountId })
  if (!pair) throw new NotFound()
  if (pair.moved || pair.blocked) throw new Forbidden()

  const assumed = pair.remote && !pair.locked && !pair.silenced
  const { showReblogs = null, notify = null } = terms
  const asked = uri ?? null
  const changes = {
    accountId,
    targetAccountId,
    showReblogs,
    notify,
    changesLanguages: languages !== undefined,
    languages: languages ?? null,
    asked,
  }
  const granted = () => {
    if (pair.from_elsewhere) tx.emit('follow.authorised', { accountId, targetAccountId, uri: asked })
  }
  if ((await changeFollow(tx.db, changes)).length > 0) {
    granted()
    return { assumed: false }
  }
  if ((await changeRequest(tx.db, changes)).length > 0) return { assumed }

  if (!pair.from_elsewhere) refuseTooMany(pair)
  const own = pair.remote ? `${tx.config.origin}/follows/${randomUUID()}` : null
  const values = {
    accountId,
    targetAccountId,
    showReblogs,
    notify,
    languages: languages ?? null,
    now: tx.now,
    asked: asked ?? own,
  }
  if (pair.locked || pair.remote || pair.silenced) {
    await insertRequest(tx.db, values)
    tx.emit('follow.requested', { accountId, targetAccountId })
    return { assumed }
  }
  await insertFollow(tx.db, values)
  await count(tx.db, { accountId, targetAccountId })
  tx.emit('account.followed', { accountId, targetAccountId })
  granted()
  return { assumed: false }
}

function refuseTooMany({ following_count, followers_count }: Pair): void {
  const limit = Math.max(MAX_FOLLOWS, Math.round(followers_count * FOLLOWS_PER_FOLLOWER))
  if (following_count >= limit) throw new Unprocessable(`You cannot follow more than ${limit} people`)
}

/** The languages as they are stored: null for all, undefined for "as before". */
function readLanguages(asked: readonly string[] | undefined): string[] | null | undefined {
  if (asked === undefined) return undefined
  const codes = asked.filter((code) => code.trim() !== '').map(normalizeLanguage)
  if (codes.includes(null)) {
    throw new ValidationFailed([{ attribute: 'languages', code: 'ERR_INVALID', text: 'is invalid' }])
  }
  return codes.length === 0 ? null : [...new Set(codes as string[])]
}
