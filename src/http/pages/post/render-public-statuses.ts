import type { Ctx } from '../../../domain/context.ts'
import { filterPubliclyVisible } from '../../../domain/access/publicly-visible.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { renderStatuses } from '../../../render/statuses/render-statuses.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'

/**
 * Returns those of the statuses that are publicly visible, rendered for an anonymous viewer, in the order of the ids.
 * All public pages, feeds and previews get their statuses from here.
 */
export async function renderPublicStatuses(ctx: Ctx, { ids }: { ids: readonly string[] }): Promise<Status[]> {
  const publicIds = await filterPubliclyVisible(ctx, { ids })
  const statuses = (await ctx.read(renderStatuses, { ids: publicIds, viewerId: null })).map((json) => parseEntity(json))
  return removeHiddenQuotes(ctx, statuses)
}

/** Removes quotes whose quoted status is not publicly visible. A quoted status never shows a quote of its own. */
async function removeHiddenQuotes(ctx: Ctx, statuses: Status[]): Promise<Status[]> {
  const quotedIds = statuses.flatMap((status) => quotedId(status.reblog ?? status) ?? [])
  const publicIds = new Set(await filterPubliclyVisible(ctx, { ids: [...new Set(quotedIds)] }))
  const withPublicQuote = (status: Status): Status => {
    const id = quotedId(status)
    return { ...status, ...(id !== null && publicIds.has(id) ? {} : { quote: null }) }
  }
  return statuses.map((status) =>
    status.reblog ? { ...withPublicQuote(status), reblog: withPublicQuote(status.reblog) } : withPublicQuote(status),
  )
}

function quotedId({ quote }: Status): string | null {
  return (quote && 'quoted_status' in quote && quote.quoted_status?.id) || null
}
