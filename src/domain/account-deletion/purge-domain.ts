import { statement } from '../../platform/db/statement.ts'
import { removeRemoteAccount } from '../accounts/remote/remove-remote-account.ts'
import type { Ctx, Read } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { severAccounts } from '../relationships/severances/sever-accounts.ts'

/** The accounts or emojis that one transaction removes. */
const BATCH_SIZE = 100

interface DomainScope {
  /** In its canonical form. */
  domain: string
  includeSubdomains: boolean
}

const inScope = `(domain = $domain or ($includeSubdomains and right(domain, length($domain) + 1) = '.' || $domain))`
const count = statement<{
  params: DomainScope
  row: { accounts: number; statuses: number; emojis: number }
  notNull: 'accounts' | 'statuses' | 'emojis'
}>(
  `with scope as materialized (select id from accounts where ${inScope})
   select (select count(*)::int from scope) as accounts,
     (select count(*)::int from scope join statuses s on s.account_id = scope.id) as statuses,
     (select count(*)::int from custom_emojis where ${inScope}) as emojis`,
)
const findAccounts = statement<{ params: DomainScope & { after: string }; row: { id: string; uri: string } }>(
  `select id, uri from accounts where id > $after and ${inScope} order by id limit ${BATCH_SIZE}`,
)
const removeEmojis = statement<{ params: DomainScope; row: { id: string } }>(
  `delete from custom_emojis where id = any(array(
     select id from custom_emojis where ${inScope} order by id limit ${BATCH_SIZE})) returning id`,
)
const findNotAllowed = statement<{ row: { domain: string }; notNull: 'domain' }>(
  `select domain from (select domain from accounts union select domain from custom_emojis) known
   where domain is not null
     and not exists (select from domain_allows allow where allow.domain = split_part(known.domain, ':', 1))
   order by domain`,
)

/** Returns the known domains with which limited federation does not permit to federate. */
export async function listDomainsNotAllowed(read: Read): Promise<string[]> {
  return (await findNotAllowed(read.db)).map(({ domain }) => domain)
}

/** Returns how many accounts, statuses (also deleted ones) and emojis of a domain are stored. */
export async function countDomain(
  read: Read,
  scope: DomainScope,
): Promise<{ accounts: number; statuses: number; emojis: number }> {
  const [row] = await count(read.db, scope)
  return row!
}

/**
 * Removes the next accounts of a domain, like `purgeDomain`. `after`: the last account of the batch before; '0': none.
 * Returns the last account of this batch, null if there was none.
 */
export async function purgeAccountBatch(
  ctx: Ctx,
  { after, cause, ...scope }: DomainScope & { after: string; cause: string },
): Promise<{ accounts: number; last: string | null }> {
  const batch = await findAccounts(ctx.db, { ...scope, after })
  if (batch.length === 0) return { accounts: 0, last: null }
  await severAccounts(ctx, { accountIds: batch.map(({ id }) => id), domain: scope.domain, cause })
  await ctx.write(async (tx) => {
    for (const { uri } of batch) await removeRemoteAccount(tx, { uri, mayReturn: true })
  })
  return { accounts: batch.length, last: batch.at(-1)!.id }
}

/** Removes the next custom emojis of a domain. Returns their number. */
export async function purgeEmojiBatch(ctx: Ctx, scope: DomainScope): Promise<number> {
  return (await ctx.write((tx) => removeEmojis(tx.db, scope))).length
}

/**
 * Removes the accounts and custom emojis of a domain without a trace, so that they can return. Follows between local
 * users and the accounts end, of which the users are notified; the accounts are hidden at once, and jobs delete their
 * statuses and other rows. `onProgress`: called with the number of removed accounts.
 */
export async function purgeDomain(
  ctx: Ctx,
  { onProgress, ...scope }: DomainScope & { onProgress: (accounts: number) => void },
): Promise<{ accounts: number; emojis: number }> {
  const { domain } = scope
  const cause = `domain_purge:${domain}:${ctx.now().getTime()}`
  let [accounts, emojis, after] = [0, 0, '0']
  for (;;) {
    const batch = await purgeAccountBatch(ctx, { ...scope, after, cause })
    if (batch.last === null) break
    accounts += batch.accounts
    after = batch.last
    onProgress(accounts)
  }
  let removed: number
  do {
    removed = await purgeEmojiBatch(ctx, scope)
    emojis += removed
  } while (removed > 0)
  await ctx.write((tx) =>
    recordAuditEntry(tx, {
      by: null,
      action: 'purge',
      targetType: 'domain',
      targetId: null,
      label: domain,
      details: { accounts, emojis, include_subdomains: scope.includeSubdomains },
    }),
  )
  return { accounts, emojis }
}
