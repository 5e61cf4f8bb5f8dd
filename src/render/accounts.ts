import type { Read } from '../domain/context.ts'
import type { Account, CredentialAccount, MutedAccount } from '../entities/account.ts'
import { NotFound } from '../lib/errors.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { lookForChanges } from '../platform/db/changes.ts'
import type { Moment } from '../platform/db/changes.ts'
import { findAccountPieces } from './account-pieces.ts'
import { judgeForOneself, judgeForViewer } from './feature-approval.ts'
import { renderSource } from './source.ts'

/** Who looks at accounts, where somebody may want to put them into a collection; null = nobody who is logged in. */
interface ByViewer {
  viewerId?: string | null
  /** When their request looked for changes. */
  asOf?: Moment | undefined
}

/** Accounts by their ids; unknown ids have no entry. */
export async function renderAccountMap(
  read: Read,
  { ids, viewerId, asOf }: { ids: readonly string[] } & ByViewer,
): Promise<Map<string, Json<Account>>> {
  if (ids.length === 0) return new Map()
  const changes = await lookForChanges(read.db, { asOf })
  const pieces = await findAccountPieces(read, { ids: new Set(ids), changes })
  const accounts = new Map([...pieces].map(([id, { bytes }]) => [id, bytes.toString() as Json<Account>]))
  return viewerId === undefined ? accounts : judgeForViewer(read, { accounts, viewerId })
}

/** Accounts in the order of the ids; unknown ids are left out. */
export async function renderAccounts(
  read: Read,
  { ids, ...by }: { ids: readonly string[] } & ByViewer,
): Promise<Json<Account>[]> {
  const map = await renderAccountMap(read, { ids, ...by })
  return ids.map((id) => map.get(id)).filter((account) => account !== undefined)
}

/** One account. @throws NotFound */
export async function renderAccount(read: Read, { id, ...by }: { id: string } & ByViewer): Promise<Json<Account>> {
  const [account] = await renderAccounts(read, { ids: [id], ...by })
  if (account === undefined) throw new NotFound()
  return account
}

/** The caller's own account, with what only they may see. `asOf`: when their request looked for changes. @throws NotFound */
export async function renderCredentialAccount(
  read: Read,
  { accountId, asOf }: { accountId: string; asOf?: Moment | undefined },
): Promise<Json<CredentialAccount>> {
  const [account, own] = await Promise.all([
    renderAccount(read, { id: accountId, asOf }),
    renderSource(read, { accountId, asOf }),
  ])
  return `${judgeForOneself(account, own).slice(0, -1)}${own.keys}}` as Json<CredentialAccount>
}

/** Accounts with the moment when the viewer's mute of them ends, null = it does not; in the order given. */
export async function renderMutedAccounts(
  read: Read,
  { muted }: { muted: readonly { id: string; expiresAt: Date | null }[] },
): Promise<Json<MutedAccount>[]> {
  const map = await renderAccountMap(read, { ids: muted.map((one) => one.id) })
  return muted.flatMap(({ id, expiresAt }) => {
    const account = map.get(id)
    if (account === undefined) return []
    return [`${account.slice(0, -1)},"mute_expires_at":${toJson(expiresAt)}}` as Json<MutedAccount>]
  })
}
