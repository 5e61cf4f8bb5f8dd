import type { Ctx } from '../context.ts'
import { isDomainAllowed } from '../domain-blocks/federating-domain.ts'
import { waitForInsertedAccounts } from '../domain-blocks/lock-domain-blocks.ts'
import { purgeAccountBatch, purgeEmojiBatch } from './purge-domain.ts'

/**
 * Effect: removes the accounts and custom emojis of a domain that limited federation does not allow any more, without a
 * trace, so that they can return if the domain is allowed again. Each job takes one step and then emits the event of
 * the next one. `after`: the last account that earlier steps removed; `at`: when the allow was removed.
 */
export async function purgeUnallowedDomain(
  ctx: Ctx,
  { domain, at, after = '0' }: { domain: string; at: number; after?: string },
): Promise<void> {
  if (after === '0') await ctx.write(waitForInsertedAccounts)
  if (await isDomainAllowed(ctx, { domain })) return
  const scope = { domain, subdomains: 'without', byUri: false } as const
  const { last } = await purgeAccountBatch(ctx, { ...scope, after, cause: `domain_unallow:${domain}:${at}` })
  const emojis = last === null ? await purgeEmojiBatch(ctx, scope) : 0
  if (last === null && emojis === 0) return
  await ctx.write(async (tx) => tx.emit('domain_allow.purge_due', { domain, at, after: last ?? after }))
}
