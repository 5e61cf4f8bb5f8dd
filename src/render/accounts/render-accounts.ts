import type { CachedRead } from '../../domain/context.ts'
import type { Account, AccountShared, CredentialAccount, MutedAccount } from '../../entities/accounts/account.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { joinFragment } from '../../lib/json/fragment.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { accountForViewer, findAccountRecords } from './account-records.ts'
import { findCredentialSource } from './credential-source.ts'
import { approvalForViewer, findFeatureOutcomes } from './feature-approval.ts'

/** The viewer for `feature_approval`, null for anonymous. Undefined: `current_user` ignores the viewer. */
interface ForViewer {
  viewerId?: string | null
}

/** Returns accounts by their ids; unknown ids have no entry. */
export async function renderAccountMap(
  read: CachedRead,
  { ids, viewerId }: { ids: readonly string[] } & ForViewer,
): Promise<Map<string, EntityJson<Account>>> {
  if (ids.length === 0) return new Map()
  const records = await findAccountRecords(read, { ids: new Set(ids) })
  if (viewerId === undefined) return new Map([...records].map(([id, { json }]) => [id, json]))
  const outcomes = await findFeatureOutcomes(read, { ids: records.keys(), viewerId })
  return new Map(
    [...records].map(([id, record]) => {
      const approval = approvalForViewer(record.approval, outcomes.get(id))
      return [id, joinFragment<Account, AccountShared>(record.shared, accountForViewer(record, approval))]
    }),
  )
}

/** Returns accounts in the order of the ids; unknown ids are omitted. */
export async function renderAccounts(
  read: CachedRead,
  { ids, viewerId }: { ids: readonly string[] } & ForViewer,
): Promise<EntityJson<Account>[]> {
  const accounts = await renderAccountMap(read, { ids, viewerId })
  return ids.map((id) => accounts.get(id)).filter((account) => account !== undefined)
}

/** Returns one account. @throws NotFoundError */
export async function renderAccount(
  read: CachedRead,
  { id, viewerId }: { id: string } & ForViewer,
): Promise<EntityJson<Account>> {
  const [account] = await renderAccounts(read, { ids: [id], viewerId })
  if (account === undefined) throw new NotFoundError()
  return account
}

/** Returns the viewer's own account. Mastodon: GET /api/v1/accounts/verify_credentials. @throws NotFoundError */
export async function renderCredentialAccount(
  read: CachedRead,
  { accountId }: { accountId: string },
): Promise<EntityJson<CredentialAccount>> {
  const [records, credentials] = await Promise.all([
    findAccountRecords(read, { ids: [accountId] }),
    findCredentialSource(read, { accountId }),
  ])
  const record = records.get(accountId)
  if (record === undefined) throw new NotFoundError()
  // Users may always feature themselves.
  const approval = approvalForViewer(record.approval, credentials.isUsable ? 'automatic' : 'denied')
  return joinFragment<CredentialAccount, AccountShared>(record.shared, {
    ...accountForViewer(record, approval),
    source: credentials.sourceJson,
    role: credentials.roleJson,
  })
}

/** Returns muted accounts in the given order. `expiresAt`: null if the mute does not expire. */
export async function renderMutedAccounts(
  read: CachedRead,
  { muted }: { muted: readonly { id: string; expiresAt: Date | null }[] },
): Promise<EntityJson<MutedAccount>[]> {
  const records = await findAccountRecords(read, { ids: new Set(muted.map(({ id }) => id)) })
  return muted.flatMap(({ id, expiresAt }) => {
    const record = records.get(id)
    if (record === undefined) return []
    return [
      joinFragment<MutedAccount, AccountShared>(record.shared, {
        ...accountForViewer(record),
        mute_expires_at: expiresAt?.toISOString() ?? null,
      }),
    ]
  })
}
