import type { Tx } from '../../src/domain/context.ts'
import { removeBlockOfDomain, setDomainBlock } from '../../src/domain/domain-blocks/set-domain-block.ts'
import type { DomainBlockSettings } from '../../src/domain/domain-blocks/set-domain-block.ts'
import {
  disableUser,
  enableUser,
  limitAccount,
  sensitizeAccount,
  suspendAccount,
  unlimitAccount,
  unsensitizeAccount,
  unsuspendAccount,
} from '../../src/domain/moderation/accounts/account-states.ts'
import type { BuilderCtx } from '../query-builder.ts'

/** Moderation by the staff, each action in one transaction. */

type Ctx = Pick<BuilderCtx, 'write'>
type Account = { accountId: string }
type User = { userId: string }

export const limit = (ctx: Ctx, { accountId }: Account): Promise<boolean> =>
  ctx.write((tx) => limitAccount(tx, { accountId }))

export const unlimit = (ctx: Ctx, { accountId }: Account): Promise<boolean> =>
  ctx.write((tx) => unlimitAccount(tx, { accountId }))

export const sensitize = (ctx: Ctx, { accountId }: Account): Promise<boolean> =>
  ctx.write((tx) => sensitizeAccount(tx, { accountId }))

export const unsensitize = (ctx: Ctx, { accountId }: Account): Promise<boolean> =>
  ctx.write((tx) => unsensitizeAccount(tx, { accountId }))

/** Suspends an account; `at`: the time of the suspension, by default now. */
export const suspend = (ctx: Ctx, { accountId }: Account, { at }: { at?: Date } = {}): Promise<boolean> =>
  ctx.write((tx) => suspendAccount(withTime(tx, at), { accountId }))

export const unsuspend = (ctx: Ctx, { accountId }: Account): Promise<boolean> =>
  ctx.write((tx) => unsuspendAccount(tx, { accountId }))

export const disable = (ctx: Ctx, { userId }: User): Promise<boolean> => ctx.write((tx) => disableUser(tx, { userId }))

export const enable = (ctx: Ctx, { userId }: User): Promise<boolean> => ctx.write((tx) => enableUser(tx, { userId }))

/** Blocks a domain, with the defaults of Mastodon's API: it is limited, without flags and comments. */
export async function blockDomainAsStaff(
  ctx: Ctx,
  domain: string,
  settings: Partial<Omit<DomainBlockSettings, 'domain'>> = {},
): Promise<void> {
  const defaults = { rejectMedia: false, rejectReports: false, publicComment: '', privateComment: '', obfuscate: false }
  await ctx.write((tx) => setDomainBlock(tx, { by: null, domain, severity: 'silence', ...defaults, ...settings }))
}

export const unblockDomainAsStaff = (ctx: Ctx, domain: string): Promise<void> =>
  ctx.write((tx) => removeBlockOfDomain(tx, { domain, by: null }))

const withTime = (tx: Tx, at: Date | undefined): Tx => (at ? { ...tx, now: at } : tx)
