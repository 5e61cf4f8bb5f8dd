import { statement } from '../../platform/db/statement.ts'
import { removeRemoteAccount } from '../accounts/remote/remove-remote-account.ts'
import type { Ctx, Read } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { removeDomainBlock } from '../domain-blocks/set-domain-block.ts'
import { severAccounts } from '../relationships/severances/sever-accounts.ts'

/** The accounts or emojis that one transaction removes. */
const BATCH_SIZE = 100

/** Accounts, emojis and domain blocks of a domain. */
export interface DomainScope {
  /** In its canonical form. */
  domain: string
  subdomains: 'without' | 'with' | 'only'
  /** Compares the host of the URIs of accounts and emojis, not the domain of their handles. */
  byUri: boolean
}

type ScopeParameters = { domain: string; itself: boolean; subdomains: boolean }

const isInScope = (host: string) => `(($itself and ${host} = $domain)
  or ($subdomains and right(${host}, length($domain) + 1) = '.' || $domain))`

/** The statements of a scope. `inScope`: SQL condition for accounts and custom emojis. */
const statementsFor = (inScope: string) => ({
  count: statement<{
    params: ScopeParameters
    row: { accounts: number; statuses: number; emojis: number; domainBlocks: number }
    notNull: 'accounts' | 'statuses' | 'emojis' | 'domainBlocks'
  }>(
    `with scope as materialized (select id from accounts where ${inScope})
     select (select count(*)::int from scope) as accounts,
       (select count(*)::int from scope join statuses s on s.account_id = scope.id) as statuses,
       (select count(*)::int from custom_emojis where ${inScope}) as emojis,
       (select count(*)::int from domain_blocks where ${isInScope('domain')}) as "domainBlocks"`,
  ),
  findAccounts: statement<{ params: ScopeParameters & { after: string }; row: { id: string; uri: string } }>(
    `select id, uri from accounts where id > $after and ${inScope} order by id limit ${BATCH_SIZE}`,
  ),
  removeEmojis: statement<{ params: ScopeParameters; row: { id: string } }>(
    `delete from custom_emojis where id = any(array(
       select id from custom_emojis where ${inScope} order by id limit ${BATCH_SIZE})) returning id`,
  ),
})
const BY_DOMAIN = statementsFor(isInScope('domain'))
const BY_URI = statementsFor(`domain is not null and ${isInScope("split_part(lower(uri), '/', 3)")}`)
const findBlocks = statement<{ params: ScopeParameters; row: { id: string } }>(
  `select id from domain_blocks where ${isInScope('domain')} order by id`,
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

/** Returns how many accounts, statuses (also deleted ones), emojis and domain blocks of a domain are stored. */
export async function countDomain(
  read: Read,
  scope: DomainScope,
): Promise<{ accounts: number; statuses: number; emojis: number; domainBlocks: number }> {
  const [row] = await statementsOf(scope).count(read.db, parametersOf(scope))
  return row!
}

/**
 * Removes the next accounts of a domain, like `purgeDomain`. `after`: the last account of the batch before; '0': none.
 * Returns the last account of this batch, null if there was none. `cause`: see `severAccounts`.
 */
export async function purgeAccountBatch(
  ctx: Ctx,
  { after, cause, ...scope }: DomainScope & { after: string; cause: string | null },
): Promise<{ accounts: number; last: string | null }> {
  const batch = await statementsOf(scope).findAccounts(ctx.db, { ...parametersOf(scope), after })
  if (batch.length === 0) return { accounts: 0, last: null }
  await severAccounts(ctx, { accountIds: batch.map(({ id }) => id), domain: scope.domain, cause })
  await ctx.write(async (tx) => {
    for (const { uri } of batch) await removeRemoteAccount(tx, { uri, mayReturn: true })
  })
  return { accounts: batch.length, last: batch.at(-1)!.id }
}

/** Removes the next custom emojis of a domain. Returns their number. */
export async function purgeEmojiBatch(ctx: Ctx, scope: DomainScope): Promise<number> {
  return (await ctx.write((tx) => statementsOf(scope).removeEmojis(tx.db, parametersOf(scope)))).length
}

/**
 * Removes the accounts and custom emojis of a domain without a trace, so that they can return. Follows between local
 * users and the accounts end without notifications; the accounts are hidden at once, and jobs delete their statuses and
 * other rows. `purgeDomainBlocks`: also removes the blocks of the domain. `onProgress`: called with the number of
 * removed accounts.
 */
export async function purgeDomain(
  ctx: Ctx,
  {
    purgeDomainBlocks,
    onProgress,
    ...scope
  }: DomainScope & { purgeDomainBlocks: boolean; onProgress: (accounts: number) => void },
): Promise<{ accounts: number; emojis: number; domainBlocks: number }> {
  let [accounts, emojis, after] = [0, 0, '0']
  for (;;) {
    const batch = await purgeAccountBatch(ctx, { ...scope, after, cause: null })
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
  return ctx.write(async (tx) => {
    const blocks = purgeDomainBlocks ? await findBlocks(tx.db, parametersOf(scope)) : []
    for (const { id } of blocks) await removeDomainBlock(tx, { id, by: null })
    const { domain, subdomains, byUri } = scope
    await recordAuditEntry(tx, {
      by: null,
      action: 'purge',
      targetType: 'domain',
      targetId: null,
      label: subdomains === 'only' ? `*.${domain}` : domain,
      details: {
        accounts,
        emojis,
        domain_blocks: blocks.length,
        include_subdomains: subdomains !== 'without',
        by_uri: byUri,
      },
    })
    return { accounts, emojis, domainBlocks: blocks.length }
  })
}

const statementsOf = ({ byUri }: DomainScope) => (byUri ? BY_URI : BY_DOMAIN)

const parametersOf = ({ domain, subdomains }: DomainScope): ScopeParameters => ({
  domain,
  itself: subdomains !== 'only',
  subdomains: subdomains !== 'without',
})
